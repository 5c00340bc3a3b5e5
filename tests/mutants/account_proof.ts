import type { Mutant } from "./_mutant.ts";

const ACTS = ["tests/security/account_acts_test.ts"];
const THIEF = ["tests/security/account_thief_test.ts"];
const SECRETS = ["tests/security/account_canaries_test.ts"];
const BROKEN = ["tests/long/account_kill_test.ts"];
const LEAVE = ["tests/security/account_leave_test.ts"];

/** What the tables of acts, of thieves and of calls to storage that fail have to see of the account page. */
export const accountProof: readonly Mutant[] = [
  {
    name: "ACR-1: an old session takes all data",
    file: "src/sign_in/dangerous.ts",
    find: 'exportData: { ...FRESHLY, told: "mailDataExported" },',
    replace: 'exportData: { ...SIGNED_IN, told: "mailDataExported" },',
    tests: ACTS,
  },
  {
    name: "ACR-1: one proof of two is enough to delete an account",
    file: "src/sign_in/dangerous.ts",
    find: 'deleteAccount: { ...FRESHLY, told: "mailAccountDeleted" },',
    replace: 'deleteAccount: { ...FRESHLY, level: "any", told: "mailAccountDeleted" },',
    tests: ACTS,
  },
  {
    name: "ACR-1: one proof of two is enough for another address",
    file: "src/sign_in/dangerous.ts",
    find: 'changeEmail: { ...FRESHLY, told: "mailEmailChanged" },',
    replace: 'changeEmail: { ...FRESHLY, level: "any", told: "mailEmailChanged" },',
    tests: ACTS,
  },
  {
    name: "ACR-1: somebody else is the owner of a link that brings something back",
    file: "src/account/undo.ts",
    find: 'const isProven = found.act === "go-on" && found.actor.user.id === userId;',
    replace: 'const isProven = found.act === "go-on" && userId !== "";',
    tests: ACTS,
  },
  {
    name: "ACR-1: to open the page of an act does it",
    file: "src/account/endpoint.ts",
    find: "const step = await row?.open?.(ctx, actor, input) ??",
    replace: "if (row) await row.run(ctx, actor, input); const step = await row?.open?.(ctx, actor, input) ??",
    tests: ACTS,
  },
  {
    name: "ACR-2: one proof of two is enough to link an account",
    file: "src/sign_in/dangerous.ts",
    find: 'addAccount: { begun: "nothing", done: "nothing", level: "highest", told: "mailAccountAdded" },',
    replace: 'addAccount: { begun: "nothing", done: "nothing", level: "any", told: "mailAccountAdded" },',
    tests: THIEF,
  },
  {
    name: "ACR-2: a link that stops another address ends no session",
    file: "src/account/email_former.ts",
    find: "await endSessionsOf(ctx, user.id);",
    replace: "",
    tests: ["tests/security/account_email_test.ts"],
  },
  {
    name: "ACR-2: an account that waits to be deleted cannot be kept",
    file: "src/account/leave.ts",
    find: "if (!await records?.removeRecord({ ...deletionKey(user.id), version }))",
    replace: 'if (user.id === "" && !await records?.removeRecord({ ...deletionKey(user.id), version }))',
    tests: THIEF,
  },
  {
    name: "ACR-3: the file holds whatever storage has of a user",
    file: "src/account/export.ts",
    find: "user: { id, name, email, emailVerified, image },",
    replace: "user: { ...user, id, name, email, emailVerified, image },",
    tests: SECRETS,
  },
  {
    name: "ACR-3: the page holds whatever storage has of a passkey",
    file: "src/account/passkeys.ts",
    find: "id: await formIdOf(config, passkey),",
    replace: "...passkey, id: await formIdOf(config, passkey),",
    tests: SECRETS,
  },
  {
    name: "ACR-4: the owner of another address is not told where storage fails afterwards",
    file: "src/account/email_write.ts",
    find: "} finally { await tellChanged(ctx, user, updated); }",
    replace: "} finally { updated = { ...updated }; } await tellChanged(ctx, user, updated);",
    tests: BROKEN,
    only: "allowEmail is done whole",
  },
  {
    name: "ACR-4: what was removed is not kept where storage fails afterwards",
    file: "src/contract/records_apart.ts",
    find: 'const EARLY: readonly string[] = [...STRICT, "removed"];',
    replace: "const EARLY: readonly string[] = [...STRICT];",
    tests: ["tests/unit/sign_in/records_apart_test.ts"],
  },
  {
    name: "ACR-4: nobody is told of a removal that nothing undoes, because storage failed",
    file: "src/sign_in/notice.ts",
    find: "ctx.config.logger.error(error, ctx.request ? ctx : undefined); return undefined;",
    replace: "throw error;",
    tests: BROKEN,
    only: "unlink is done whole",
  },
  {
    name: "ACR-4: what came back in part stays so",
    file: "src/account/undo.ts",
    find: "if (owner && owner.id !== user.id || key && key.userId !== user.id) return null;",
    replace: "if (owner || key) return null;",
    tests: BROKEN,
    only: "undo of a passkey is done whole",
  },
  {
    name: "ACR-4: a deletion that broke off is finished at a sign-in, if another feature judges sign-ins",
    file: "src/account/mod.ts",
    find: "...(settings.delete && settings.delete.graceDays > 0 && { mint: refuseDeleted }),",
    replace: "mint: refuseDeleted,",
    tests: LEAVE,
    only: "whoever signs in again after a deletion",
  },
  {
    name: "ACR-5: whoever has a removed account links it again before their session ends",
    file: "src/account/unlink.ts",
    find: 'return { kind: owner?.id === user.id ? "again" : "done" };',
    replace: 'return { kind: owner?.id === "" ? "again" : "done" };',
    tests: ["tests/security/account_test.ts"],
    only: "an account that is linked again",
  },
];
