import type { Mutant } from "./_mutant.ts";

const UPGRADE = ["tests/security/passkey_upgrade_test.ts"];
const PAGE = ["tests/security/account_passkeys_test.ts"];
const SCRIPT = ["tests/unit/pages/signals_script_test.ts"];
const CLIENT = ["tests/unit/client/passkeys_test.ts"];

/** Passkeys of the account page, of several domains, and that browsers make by themselves. */
export const accountPasskeys: readonly Mutant[] = [
  {
    name: "ACP-1: a passkey is made without anybody being present, whatever the challenge was for",
    file: "src/webauthn/ceremony.ts",
    find: "requireUserPresence: !isUpgrade,",
    replace: "requireUserPresence: false,",
    tests: UPGRADE,
  },
  {
    name: "ACP-1: a passkey is made without verification, whatever the challenge was for",
    file: "src/webauthn/ceremony.ts",
    find: "requireUserVerification: !isUpgrade && registration.requireUserVerification,",
    replace: "requireUserVerification: false,",
    tests: UPGRADE,
  },
  {
    name: "ACP-1: the answer says which kind of challenge it was for",
    file: "src/webauthn/callback.ts",
    find: 'const isUpgrade = action === "upgrade";',
    replace: "const isUpgrade = true;",
    tests: UPGRADE,
  },
  {
    name: "ACP-2: browsers may make passkeys by themselves where it is not chosen",
    file: "src/webauthn/decide.ts",
    find: 'if (!upgrades) return { act: "refuse", error: "Invalid action" };',
    replace: "",
    tests: UPGRADE,
  },
  {
    name: "ACP-2: browsers may make passkeys by themselves long after a sign-in",
    file: "src/webauthn/decide.ts",
    find: 'if (session !== "recent") return',
    replace: 'if (session === "none") return',
    tests: UPGRADE,
  },
  {
    name: "ACP-2: more passkeys than allowed make themselves",
    file: "src/webauthn/decide.ts",
    find: 'return hasMaxCredentials ? { act: "refuse", error: "TooManyPasskeys" } : { act: "upgrade" };',
    replace: 'return { act: "upgrade" };',
    tests: UPGRADE,
  },
  {
    name: "ACP-3: passkeys are not taken at related origins",
    file: "src/webauthn/entities.ts",
    find: "[url.origin], ...related]",
    replace: "[url.origin]]",
    tests: UPGRADE,
  },
  {
    name: "ACP-3: a related origin may be http",
    file: "src/config/webauthn_options.ts",
    find:
      'return typeof origin === "string" && /^(?:https:|http:\\/\\/localhost(?::|$))/.test(origin) && isOrigin(origin);',
    replace: "return isOrigin(origin);",
    tests: UPGRADE,
  },
  {
    name: "ACP-3: related origins are used without the domain that they are for",
    file: "src/config/providers.ts",
    find: "if (relatedOrigins && relatedOrigins.length > 0 && !relayingParty?.id) {",
    replace: "if (relatedOrigins && relatedOrigins.length > 99 && !relayingParty?.id) {",
    tests: UPGRADE,
  },
  {
    name: "ACP-4: the last passkey is removed although there is no other way in",
    file: "src/webauthn/removal.ts",
    find: "const other = canRemove(ways, [passkeyWay(passkey)]);",
    replace: "const other = canRemove(ways, []);",
    tests: PAGE,
  },
  {
    name: "ACP-4: of two passkeys that are removed at once none stays",
    file: "src/webauthn/removal.ts",
    find: "expect: { ...expect, ...other.expect, ...",
    replace: "expect: { ...expect, ...",
    tests: PAGE,
  },
  {
    name: "ACP-5: sessions of others go on when a passkey is removed",
    file: "src/webauthn/removal.ts",
    find: "await endOthersOf(ctx, { user, active, waiting });",
    replace: "",
    tests: PAGE,
  },
  {
    name: "ACP-6: recovery codes stay when the last second factor is removed as a passkey",
    file: "src/webauthn/removal.ts",
    find: "const gone = [...records ? [infoKey] : [], ...factors?.records.remove ?? []];",
    replace: "const gone = [...records ? [infoKey] : []];",
    tests: PAGE,
  },
  {
    name: "ACP-6: an application that is removed at the same time as a passkey leaves recovery codes alone",
    file: "src/second_factor/administration.ts",
    find: "const again = remove.length === 0 && codes ? [codes] : put;",
    replace: "const again = put;",
    tests: PAGE,
  },
  {
    name: "ACP-7: a passkey that is removed leaves behind what was known of it",
    file: "src/webauthn/removal.ts",
    find: "const gone = [...records ? [infoKey] : [], ...",
    replace: "const gone = [...",
    tests: PAGE,
  },
  {
    name: "ACP-7: what was known of a passkey is lost when it is used",
    file: "src/sign_in/passkey_use.ts",
    find: "data: { ...readPasskeyNote(record), ...changes }",
    replace: "data: { ...UNKNOWN_PASSKEY, ...changes }",
    tests: PAGE,
  },
  {
    name: "ACP-7: a passkey that comes back has lost what was known of it",
    file: "src/account/undo.ts",
    find: "...(info && { put: [info] }),",
    replace: "",
    tests: PAGE,
  },
  {
    name: "ACP-8: the page has another passkey made for somebody who has one",
    file: "src/account/overview.ts",
    find: "const mayUpgrade = upgrades && passkeys.length === 0 &&",
    replace: "const mayUpgrade = upgrades &&",
    tests: PAGE,
  },
  {
    name: "ACP-8: the page has a passkey made after a sign-in in which nothing was typed",
    file: "src/account/overview.ts",
    find: 'const TYPED: readonly string[] = ["pwd", "mail"];',
    replace: 'const TYPED: readonly string[] = ["pwd", "mail", "fed"];',
    tests: PAGE,
  },
  {
    name: "ACP-8: whoever has removed a passkey gets another one without a question",
    file: "src/pages/signals_script.ts",
    find: "if (sessionStorage.getItem(REMOVED)) return;",
    replace: "",
    tests: SCRIPT,
    only: "whoever has removed a passkey",
  },
  {
    name: "ACP-10: the device is not told that the last passkey was removed",
    file: "src/pages/passkey_signals.tsx",
    find: 'const isRemoved = page.step.done === "removePasskey";',
    replace: "const isRemoved = false;",
    tests: ["tests/unit/pages/passkey_signals_test.ts"],
  },
  {
    name: "ACP-9: a browser that makes a passkey by itself asks its user",
    file: "client/core/passkeys.ts",
    find: "...(expire || isAlone) && {",
    replace: "...expire && {",
    tests: CLIENT,
  },
  {
    name: "ACP-9: a passkey that the service has refused stays on the device",
    file: "client/core/passkeys.ts",
    find: "(isNew ? status === 200 : ",
    replace: "(",
    tests: CLIENT,
  },
];
