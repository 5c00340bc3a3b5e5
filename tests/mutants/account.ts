import type { Mutant } from "./_mutant.ts";

const WHO = ["tests/security/account_test.ts"];
const WAYS = ["tests/unit/sign_in/ways_test.ts"];
const UNDO = ["tests/security/account_undo_test.ts"];
const SESSIONS = ["tests/security/account_sessions_test.ts"];
const FUNCTIONS = ["tests/security/account_functions_test.ts"];
const SECTION = ["tests/unit/account/section_test.ts"];

/** The account page: who may change what, what stays in any case, and what comes back. */
export const account: readonly Mutant[] = [
  {
    name: "ACC-1: an old session ends the others, with which its thief locks out the owner",
    file: "src/sign_in/dangerous.ts",
    find: "endSessions: { ...FRESHLY, told: null },",
    replace: "endSessions: { ...SIGNED_IN, told: null },",
    tests: WHO,
  },
  {
    name: "ACC-1: an old session removes an account",
    file: "src/sign_in/dangerous.ts",
    find: 'unlinkAccount: { ...FRESHLY, told: "mailAccountRemoved" },',
    replace: 'unlinkAccount: { ...SIGNED_IN, told: "mailAccountRemoved" },',
    tests: WHO,
  },
  {
    name: "ACC-1: somebody else who registered the address before its owner proved it sees the account",
    file: "src/sign_in/dangerous.ts",
    find: 'if (!mayAddAccount(active, user)) return "not-theirs";',
    replace: "",
    tests: WHO,
    only: "a session that is older than the proof",
  },
  {
    name: "ACC-1: another site calls a function that changes the account",
    file: "src/service/account_actions.ts",
    find: 'if (act !== "export") assertOwnSite(ctx, "change the account");',
    replace: "",
    tests: FUNCTIONS,
  },
  {
    name: "ACC-2: two tabs that remove two accounts at once leave no way in",
    file: "src/account/unlink.ts",
    find: "expect: { ...actor.expect, ...other.expect },",
    replace: "expect: actor.expect,",
    tests: WHO,
    only: "the last way in stays",
  },
  {
    name: "ACC-2: what is removed counts as what is left",
    file: "src/sign_in/ways.ts",
    find: "const left = ways.filter((way) => !removed.some(({ kind, key }) => kind === way.kind && key === way.key));",
    replace: "const left = removed.length > ways.length ? [] : [...ways];",
    tests: WAYS,
  },
  {
    name: "ACC-2: a link to an address that nobody has proven counts as a way in",
    file: "src/sign_in/ways.ts",
    find: "isProven && sendsMail ?",
    replace: "sendsMail ?",
    tests: WAYS,
  },
  {
    name: "ACC-2: a passkey whose account was removed counts as a way in",
    file: "src/sign_in/ways.ts",
    find: "passkeys.filter((passkey) => hasAccount(passkey, accounts, typeOf))",
    replace: "passkeys.filter((passkey) => accounts === null || typeOf(passkey.credentialID) === undefined)",
    tests: WAYS,
  },
  {
    name: "ACC-2: the account of a password counts as a way in besides the password",
    file: "src/sign_in/ways.ts",
    find: "provider === ofPasswords ? undefined : providers.get(provider)?.type",
    replace: "provider === ofPasswords + '!' ? undefined : providers.get(provider)?.type",
    tests: WAYS,
  },
  {
    name: "ACC-3: the page says what a provider calls its user",
    file: "src/account/ids.ts",
    find: ': await keyedUuid(secret, "account", userId, named.provider, named.providerAccountId);',
    replace: ": `${named.provider}-${named.providerAccountId}`;",
    tests: WHO,
  },
  {
    name: "ACC-3: a page that was open when the secret changed names nothing any more",
    file: "src/account/ids.ts",
    find: "for (const secret of secrets) if",
    replace: "for (const secret of secrets.slice(0, 1)) if",
    tests: WHO,
    only: "an id that was shown before",
  },
  {
    name: "ACC-3: whoever has seen the id of a session ends it",
    file: "src/account/sessions.ts",
    find: "await revokeSession(config, id, { userId: actor.user.id, subject: ctx });",
    replace: "await revokeSession(config, id, { subject: ctx });",
    tests: SESSIONS,
  },
  {
    name: "ACC-4: whoever finds the link of an email brings back what was removed",
    file: "src/account/undo.ts",
    find: 'if (!await isOwner(ctx, userId, "done"))',
    replace: 'if (userId === "")',
    tests: UNDO,
  },
  {
    name: "ACC-4: a mailbox and a lost phone bring its passkey back, which is both proofs",
    file: "src/sign_in/dangerous.ts",
    find: 'undoRemoval: { ...FRESHLY, told: "mailRemovalUndone" },',
    replace: 'undoRemoval: { ...FRESHLY, level: "any", told: "mailRemovalUndone" },',
    tests: ["tests/security/account_attacks_test.ts"],
  },
  {
    name: "ACC-4: the email invites the owner to bring back what a thief has added and removed",
    file: "src/account/removed.ts",
    find: "if (info && isNew(info, runtime.now())) return null;",
    replace: "",
    tests: ["tests/security/account_attacks_test.ts"],
  },
  {
    name: "ACC-4: what somebody else has meanwhile is not looked for",
    file: "src/account/undo.ts",
    find: "if (account && await storage.getUserByAccount(account)) return true;",
    replace: "",
    tests: UNDO,
  },
  {
    name: "ACC-4: whoever removed something stays signed in after its owner brought it back",
    file: "src/account/undo.ts",
    find: "await endSessionsOf(ctx, userId);",
    replace: "",
    tests: UNDO,
  },
  {
    name: "ACC-4: the tokens of a removed account stay in storage",
    file: "src/account/removed.ts",
    find: "account: withoutTokens(account)",
    replace: "account: { ...withoutTokens(account), ...account }",
    tests: UNDO,
  },
  {
    name: "ACC-5: a session that began with a removed account goes on",
    file: "src/account/unlink.ts",
    find: "await endOthersOf(ctx, actor);",
    replace: "",
    tests: WHO,
  },
  {
    name: "ACC-5: a session that was raised forgets where it began",
    file: "src/account/seen.ts",
    find: "session.replaces === undefined ? null : await take(records, session.replaces)",
    replace: "session.replaces === undefined ? null : await take(records, session.key)",
    tests: SESSIONS,
  },
  {
    name: "ACC-5: a session that goes on for long forgets where it began",
    file: "src/account/seen.ts",
    find: "if (isShorter) await recordsOf(config)?.putRecord({ ...record, expires });",
    replace: "",
    tests: SESSIONS,
  },
  {
    name: "ACC-6: what an application has not made with the tag is shown as HTML",
    file: "src/account/own_sections.ts",
    find: 'if (!isHtml(html)) throw new TypeError("`render` has to give what the tag `html` has made");',
    replace: "",
    tests: FUNCTIONS,
  },
  {
    name: "ACC-6: an object that looks like HTML is written as it is",
    file: "src/account/section.ts",
    find: 'return typeof value === "object" && value !== null && made.has(value);',
    replace: 'return typeof value === "object" && value !== null && "text" in value;',
    tests: SECTION,
  },
  {
    name: "ACC-6: an attribute is left with a quotation mark",
    file: "src/account/section.ts",
    find: '\'"\': "&quot;",',
    replace: "'\"': '\"',",
    tests: SECTION,
  },
];
