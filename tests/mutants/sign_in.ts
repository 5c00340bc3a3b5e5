import type { Mutant } from "./_mutant.ts";

const PERMIT = ["tests/unit/sign_in/permission_test.ts"];
const CREDENTIALS = ["tests/unit/credentials/sign_in_test.ts"];
const STORY = ["tests/stories/credentials_test.ts"];

/** Who may sign in. */
export const signIn: readonly Mutant[] = [
  {
    name: "H01, V22: whatever is not false lets in",
    file: "src/sign_in/permission.ts",
    find: 'if (answer === true) return { act: "enter" };',
    replace: 'if (answer !== false) return { act: "enter" };',
    tests: PERMIT,
  },
  {
    name: "H01, V22: whatever is truthy lets in",
    file: "src/sign_in/permission.ts",
    find: 'if (answer === true) return { act: "enter" };',
    replace: 'if (answer && typeof answer !== "string") return { act: "enter" };',
    tests: PERMIT,
  },
  {
    name: "H01: a signIn callback that answers a URL lets in",
    file: "src/sign_in/permission.ts",
    find: 'return { act: "redirect", to: await applyRedirectCallback(ctx, answer) };',
    replace: 'return { act: "enter" };',
    tests: PERMIT,
  },
  {
    name: "V22: a signIn callback that throws lets in",
    file: "src/sign_in/permission.ts",
    find:
      'throw asKnownError(error) ??\n      new AccessDenied("Cannot sign in: `callbacks.signIn` failed", { cause: error, logCode: "callback-threw" });',
    replace: "return true;",
    tests: PERMIT,
  },
  {
    name: "RED-1: the URL of a signIn callback is not looked at",
    file: "src/sign_in/permission.ts",
    find: "to: await applyRedirectCallback(ctx, answer)",
    replace: "to: answer as RedirectUrl",
    tests: PERMIT,
  },
  {
    name: "H01: somebody who is sent elsewhere is signed in as well",
    file: "src/sign_in/complete.ts",
    find: '  if (permission.act === "redirect") return permission;\n  const profile',
    replace: "  const profile",
    tests: PERMIT,
  },
  {
    name: "V22: the session is there before the application was asked",
    file: "src/sign_in/complete.ts",
    find: "  const permission = await ask(user, false);",
    replace:
      "  ctx.sessions.write(ctx.cookies, await ctx.sessions.prepare(attempt, ctx.cookies));\n  const permission = await ask(user, false);",
    tests: ["tests/unit/sign_in/permission_test.ts"],
  },
  {
    name: "V22: nobody is asked",
    file: "src/sign_in/complete.ts",
    find: "  const permission = await ask(user, false);",
    replace: '  const permission = { act: "enter" } as Awaited<ReturnType<typeof ask>>;',
    tests: ["tests/unit/sign_in/permission_test.ts"],
  },
  {
    name: "V22: a sign-in is announced before there is a session",
    file: "src/sign_in/complete.ts",
    find: "  ctx.sessions.write(ctx.cookies, await ctx.sessions.prepare(owner, ctx.cookies));",
    replace: '  await tell(ctx.config, { type: "signIn", event: null, message: () => ({ user, account }) });\n' +
      "  ctx.sessions.write(ctx.cookies, await ctx.sessions.prepare(owner, ctx.cookies));",
    tests: PERMIT,
  },
  {
    name: "V47: authorize that answers nothing is a fault, not a refusal",
    file: "src/credentials/sign_in.ts",
    find: "if (!found) throw",
    replace: "if (found === null) throw",
    tests: ["tests/stories/authorize_answers_test.ts"],
  },
  {
    name: "V34: two people without an id share an account",
    file: "src/credentials/sign_in.ts",
    find: "return randomUuid(runtime);",
    replace: 'return "nobody";',
    tests: ["tests/unit/credentials/sign_in_test.ts"],
  },
  {
    name: "V34: an empty id of authorize is one",
    file: "src/credentials/sign_in.ts",
    find: 'if (typeof id === "string" && id !== "") return id;',
    replace: 'if (typeof id === "string") return id;',
    tests: CREDENTIALS,
  },
  {
    name: "V67: a failure inside authorize counts as a wrong password",
    file: "src/credentials/sign_in.ts",
    find:
      'throw new CallbackRouteError("Cannot sign in: `authorize` failed", { cause: error, logCode: "callback-threw" });',
    replace: "return null;",
    tests: CREDENTIALS,
  },
  {
    name: "CRD-1: a password is trimmed",
    file: "src/credentials/sign_in.ts",
    find: "return authorize({ ...fields }, requestWith(ctx, fields));",
    replace: "const trimmed = Object.entries(fields).map(([name, value]) => [name, String(value).trim()]);\n" +
      "    return authorize(Object.fromEntries(trimmed), requestWith(ctx, fields));",
    tests: CREDENTIALS,
  },
  {
    name: "CRD-5: the code of a refusal may be any text",
    file: "src/service/error_outcomes.ts",
    find: 'return typeof code === "string" && /^[\\w-]{1,64}$/.test(code) ? code : "credentials";',
    replace: 'return typeof code === "string" ? code : "credentials";',
    tests: STORY,
  },
  {
    name: "CRD-6: credentials may stand in an address",
    file: "src/service/routes.ts",
    find: '"POST callback": form(flow((all) => all.credentials.callback)),',
    replace:
      '"POST callback": form(flow((all) => all.credentials.callback)),\n  "GET callback": form(flow((all) => all.credentials.callback)),',
    tests: ["tests/unit/service/routes_test.ts"],
  },
  {
    name: "V67: a sign-in is committed after it was given up",
    file: "src/sign_in/writer.ts",
    find: "  if (cookies.closed) throw new Timeout(",
    replace: "  if (cookies === undefined) throw new Timeout(",
    tests: ["tests/stories/timeouts_test.ts"],
    only: "timed out before its commit",
  },
  {
    name: "V67: a sign-in whose commit outlived the answer is not announced",
    file: "src/sign_in/session.ts",
    find: "if (!cookies.closed) sessions.write",
    replace: "sessions.write",
    tests: ["tests/stories/timeouts_test.ts"],
    only: "timed out during its commit",
  },
  {
    name: "V61: credentials keep the first answer of authorize for ever",
    file: "src/sign_in/plan.ts",
    find: 'if (attempt.method === "credentials") return changesFromAuthorize(attempt, decision.user, input);',
    replace: "",
    tests: ["tests/stories/stored_credentials_test.ts"],
  },
  {
    name: "V26: a new address from authorize counts as verified because the one before was",
    file: "src/sign_in/plan.ts",
    find: 'return "email" in changes ? { ...changes, emailVerified: null } : changes;',
    replace: "return changes;",
    tests: ["tests/stories/stored_credentials_test.ts"],
  },
  {
    name: "V61: authorize takes an address from whoever has it",
    file: "src/sign_in/plan.ts",
    find: "const isTaken = byEmail !== null && byEmail.id !== stored.id;",
    replace: "const isTaken = byEmail?.id === null;",
    tests: ["tests/stories/stored_credentials_test.ts"],
  },
  {
    name: "V34: authorize without an id makes somebody new at every sign-in",
    file: "src/credentials/sign_in.ts",
    find: "if (storage) {",
    replace: "if (storage === undefined) {",
    tests: ["tests/stories/stored_credentials_test.ts"],
  },
  {
    name: "V26: a password goes on opening a user whose address somebody else has verified",
    file: "src/sign_in/permission.ts",
    find: 'if (!params.emailProvenElsewhere) return { act: "enter" };',
    replace: 'return { act: "enter" };',
    tests: ["tests/stories/stored_credentials_test.ts"],
  },
  {
    name: "V26: the application is not told that the address was verified by somebody else",
    file: "src/sign_in/complete.ts",
    find: "...(verifiedElsewhere && { emailProvenElsewhere: true }),",
    replace: "",
    tests: ["tests/stories/stored_credentials_test.ts"],
    only: "an application that answers",
  },
  {
    name: "V26: the application is asked about a password at every sign-in, although it has answered",
    file: "src/sign_in/plan.ts",
    find: "return isAnswered ? { updateAccount: { ...key, ...stamp } } : {};",
    replace: "return {};",
    tests: ["tests/stories/stored_credentials_test.ts"],
  },
  {
    name: "V22: the application is not asked again when the address is verified after the question",
    file: "src/sign_in/with_storage.ts",
    find: "const question = JSON.stringify([user.id, verifiedElsewhere]);",
    replace: "const question = JSON.stringify([user.id]);",
    tests: ["tests/stories/stored_credentials_test.ts"],
    only: "a verification between the question",
  },
  {
    name: "V15: an error that refuses is taken for a fault because another package made it",
    file: "src/kernel/known_errors.ts",
    find: '    if (typeof type !== "string") return null;\n',
    replace: "    if (type !== null) return null;\n",
    tests: ["tests/stories/known_errors_test.ts"],
  },
  {
    name: "V26: what is no plain object signs in, such as a Response that `authorize` returns",
    file: "src/credentials/sign_in.ts",
    find: "if (!isPlainObject(found)) return false;",
    replace: 'if (typeof found !== "object" || found === null) return false;',
    tests: ["tests/stories/authorize_answers_test.ts"],
  },
  {
    name: "V26: an object without id, name and email signs in",
    file: "src/credentials/sign_in.ts",
    find: "return found.error === undefined && (isText(found.name) || isText(found.email));",
    replace: "return found.error === undefined;",
    tests: ["tests/stories/authorize_answers_test.ts"],
  },
  {
    name: "V26: an object with `error` and no id signs in",
    file: "src/credentials/sign_in.ts",
    find: "return found.error === undefined && (isText(found.name) || isText(found.email));",
    replace: "return isText(found.name) || isText(found.email);",
    tests: ["tests/stories/authorize_answers_test.ts"],
  },
];
