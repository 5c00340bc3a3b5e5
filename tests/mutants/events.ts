import type { Mutant } from "./_mutant.ts";

const TOLD = ["tests/security/told_events_test.ts"];
const UNIT = ["tests/unit/request/events_test.ts"];

/** What features are told of. */
export const events: readonly Mutant[] = [
  {
    name: "EVT-1: features are told of a sign-in before it is written",
    file: "src/sign_in/writer.ts",
    find: 'result: Object.keys(plan).length === 0 ? "done" : await commit(plan)',
    replace: 'result: Object.keys(plan).length === 0 ? "done" : await report(user).then(() => commit(plan))',
    tests: TOLD,
  },
  {
    name: "EVT-1: features are told of a sign-in whose session cannot be stored",
    file: "src/sign_in/writer.ts",
    find: "if (!isStored) await report(user);",
    replace: "await report(user);",
    tests: TOLD,
    only: "features are told of a sign-in that storage refuses",
  },
  {
    name: "EVT-2: a new user is told with their address",
    file: "src/sign_in/with_storage.ts",
    find: 'type: "userCreated", event: () => ({ userId })',
    replace: 'type: "userCreated", event: () => ({ ...user, userId })',
    tests: TOLD,
  },
  {
    name: "EVT-2: an account is told with its tokens",
    file: "src/sign_in/with_storage.ts",
    find: "event: () => ({ userId, provider: linkAccount.provider })",
    replace: "event: () => ({ ...linkAccount, userId })",
    tests: TOLD,
  },
  {
    name: "EVT-2: the token of a session is told",
    file: "src/session_stores/session_id.ts",
    find: 'return `${await keyedUuid(secret ?? "", "session", userId, sessionToken)}',
    replace: "return `${sessionToken}",
    tests: TOLD,
  },
  {
    name: "EVT-3: a feature that fails when it is told fails the answer",
    file: "src/request/events.ts",
    find: 'logger.error(new EventError(`Cannot tell a feature of "${type}"`, { cause }), subject);',
    replace: "throw logger && cause;",
    tests: TOLD,
    only: "a feature that throws or hangs",
  },
  {
    name: "EVT-3: an answer waits for a feature that hangs until its time is over",
    file: "src/request/events.ts",
    find: "await Promise.race([tellAll().catch(fail), enough]);",
    replace: "await tellAll().catch(fail);",
    tests: TOLD,
    only: "a feature that hangs longer",
  },
  {
    name: "EVT-3: each event has three quarters of the whole time",
    file: "src/request/events.ts",
    find: "subject?.deadline?.left ?? timeouts.total",
    replace: "timeouts.total",
    tests: UNIT,
  },
  {
    name: "EVT-3: a feature that hangs is never given up",
    file: "src/request/events.ts",
    find:
      'return changed && withDeadline(runtime, timeouts.event, "a feature", () => changed(config, event, subject)).catch(fail);',
    replace: "return changed && Promise.resolve(changed(config, event, subject)).catch(fail);",
    tests: UNIT,
  },
  {
    name: "EVT-4: features are not told of a sign-in that fails",
    file: "src/service/error_outcomes.ts",
    find: "if (path && signsIn(ctx.incoming.method, path))",
    replace: "if (path && signsIn(ctx.incoming.method, path) && error.family === 'sign-in')",
    tests: TOLD,
  },
  {
    name: "EVT-4: features are not told of a sign-in that a page of the application starts",
    file: "src/service/actions.ts",
    find: "if (ctx && provider !== undefined) await",
    replace: "if (ctx && provider === undefined) await",
    tests: TOLD,
    only: "features are told of a sign-in that a page",
  },
  {
    name: "EVT-5: without features an event is made",
    file: "src/request/events.ts",
    find: 'event && config.actsAt.has("changed") && tellFeatures(',
    replace: "event && tellFeatures(",
    tests: UNIT,
  },
];
