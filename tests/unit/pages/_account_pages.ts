/** The account page with texts that somebody else chose. */
import { ACCOUNT_EXAMPLES, ACCOUNT_VIEW } from "../../../scripts/account_examples.ts";
import { html as made } from "../../../src/account/section.ts";
import type { AccountPage, AccountStep, AccountView } from "../../../src/request/account_views.ts";

/**
 * Makes every step of the account page, with a text wherever one can come in.
 *
 * @param signalsUrl Where its script asks for passkeys as soon as it is shown.
 */
export function accountPagesWith(text: string, signalsUrl: string = text): readonly AccountPage[] {
  const { account } = ACCOUNT_EXAMPLES;
  const state = { csrfToken: text, action: text, callbackUrl: text, signOutUrl: text, siteUrl: text };
  const way = { id: text, provider: text, name: text, works: false, removal: "allowed" as const };
  const known = { createdAt: null, usedAt: null, isSynced: true, removal: "allowed" as const };
  const passkey = { id: text, credentialId: text, name: text, ...known };
  const device = { isCurrent: false, signedInAt: null, expires: new Date(0), provider: text, place: text };
  const view: AccountView = {
    ...ACCOUNT_VIEW,
    user: { id: text, name: text, email: text, image: text, isEmailProven: true },
    waitingEmail: { to: text, at: new Date(0), isDue: true },
    ways: [way, { ...way, removal: "last" }],
    addable: [{ provider: text, name: text, url: text }],
    passkeys: [passkey],
    passkeyUrl: text,
    passkeySignals: { rpId: text, userHandle: text, optionsUrl: signalsUrl, upgradeUrl: signalsUrl },
    password: { isSet: false, setAt: null, url: text },
    secondFactor: { isOn: false, recoveryCodes: null, url: text },
    sessions: [
      { ...device, id: text, browser: text, system: text },
      { ...device, id: text, browser: null, system: text, isCurrent: true },
    ],
  };
  const own = { id: text, title: text, html: made`<p>${text}</p>`.text, hasForm: true, problem: text };
  const steps: readonly AccountStep[] = [
    { kind: "overview", done: null },
    { kind: "rename" },
    { kind: "email", to: text, lostDays: 7 },
    { kind: "email-sent", to: text, waitsFor: "new" },
    { kind: "confirm-email", token: text, to: text, at: "new" },
    { kind: "confirm-email", token: text, to: text, at: "former" },
    { kind: "unlink", way },
    { kind: "rename-passkey", passkey },
    { kind: "remove-passkey", passkey },
    { kind: "delete", typed: text, graceDays: 30 },
    { kind: "undo", token: text, isProven: true, signInUrl: text },
    { kind: "undo", token: text, isProven: false, signInUrl: text },
    { kind: "undone", signInUrl: text },
  ];
  const styles = { [text]: { logo: text, logoDark: text, mark: text, bg: text, text } };
  return steps.map((step) => ({ ...account, ...state, view, step, styles, sections: [own], problem: "typed" }));
}
