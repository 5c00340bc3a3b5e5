import type { Mutant } from "./_mutant.ts";

const ACTS = ["tests/unit/sign_in/dangerous_test.ts"];
const NOTICE = ["tests/unit/mail/notice_test.ts"];
const STORIES = ["tests/security/dangerous_acts_test.ts"];

/** Acts that change who can get in. */
export const dangerous: readonly Mutant[] = [
  {
    name: "ACT-1: the time of the token counts as the time of the sign-in",
    file: "src/sign_in/dangerous.ts",
    find: "return isFresh({ time }, now, FRESH)",
    replace: "return isFresh({ time: time ?? now / 1000 }, now, FRESH)",
    tests: STORIES,
  },
  {
    name: "ACT-1: with `freshSignIn`, an unknown time is fresh for a passkey",
    file: "src/sign_in/dangerous.ts",
    find: 'const demand = freshSignIn && usual !== "a session" ? "fresh" : usual;',
    replace: 'const demand = freshSignIn && usual !== "a session" ? "fresh where known" : usual;',
    tests: ACTS,
  },
  {
    name: "ACT-1: with `freshSignIn`, an account is added at any time",
    file: "src/sign_in/dangerous.ts",
    find: 'const demand = freshSignIn && usual !== "a session" ? "fresh" : usual;',
    replace: "const demand = usual;",
    tests: STORIES,
  },
  {
    name: "ACT-2: what began in time is not judged again when it is written",
    file: "src/sign_in/current.ts",
    find: 'isStale: judgement !== "allowed"',
    replace: "isStale: false",
    tests: STORIES,
  },
  {
    name: "ACT-2: an old session adds a passkey whose ceremony began in time",
    file: "src/sign_in/linking.ts",
    find: 'return isStale ? { act: "refuse", isStale } : { act: "linkToCurrent", user };',
    replace: 'return { act: "linkToCurrent", user };',
    tests: STORIES,
  },
  {
    name: "ACT-3: a session that is older than the proof of the address adds something",
    file: "src/sign_in/dangerous.ts",
    find: 'if (!mayAddAccount(active, user)) return "not-theirs";',
    replace: "",
    tests: ACTS,
  },
  {
    name: "ACT-4: an address that nobody has proven is told",
    file: "src/sign_in/notice.ts",
    find: "const to = isEmailProven(known) ? comparableEmail(user.email) : null;",
    replace: 'const to = comparableEmail(user.email ?? "");',
    tests: STORIES,
  },
  {
    name: "ACT-4: the mark of the first release does not count for who is told",
    file: "src/sign_in/notice.ts",
    find: "const known = storage ? await withMark(storage, user) : user;",
    replace: "const known = storage ? user : user;",
    tests: STORIES,
  },
  {
    name: "ACT-4: an account that is linked by its address is not told",
    file: "src/sign_in/with_storage.ts",
    find: 'if (decision.act !== "linkToCurrent" && decision.act !== "link") return null;',
    replace: 'if (decision.act !== "linkToCurrent") return null;',
    tests: STORIES,
  },
  {
    name: "ACT-4: a mailer that hangs keeps the answer back",
    file: "src/sign_in/notice.ts",
    find:
      'await withDeadline(runtime, longestWait(timeouts), "the email", () => send(ctx, mailer, { ...added, time }));',
    replace: "await send(ctx, mailer, { ...added, time });",
    tests: STORIES,
  },
  {
    name: "ACT-4: nobody is told where the session cannot be opened",
    file: "src/sign_in/complete.ts",
    find: "await complete(ctx, checked, { redirectUrl, resumed, tell });\n  } finally {",
    replace:
      "await complete(ctx, checked, { redirectUrl, resumed, tell });\n    await Promise.all(told);\n  } finally {\n    told.length = 0;",
    tests: STORIES,
  },
  {
    name: "ACT-4: a name writes a second line into the subject",
    file: "src/mail/notice.ts",
    find: "const subject = oneLine(fill(texts[what], values));",
    replace: "const subject = fill(texts[what], values);",
    tests: NOTICE,
  },
  {
    name: "ACT-4: a name writes HTML into the email",
    file: "src/mail/notice.ts",
    find: "heading: filled(texts[what], shown),",
    replace: "heading: fill(texts[what], shown),",
    tests: STORIES,
  },
  {
    name: "ACT-5: a feature that sends email starts without anything that sends it",
    file: "src/config/rules.ts",
    find: "if (!mailing || sendsMail(config, providers)) return [];",
    replace: 'if (!mailing || config.mail || providers.some(({ type }) => type === "email")) return [];',
    tests: STORIES,
  },
  {
    name: "ACT-5: a feature is not looked at where nothing else needs a look",
    file: "src/config/options.ts",
    find: "features: { kind: ruled(list(",
    replace: "features: { kind: (list(",
    tests: STORIES,
  },
];
