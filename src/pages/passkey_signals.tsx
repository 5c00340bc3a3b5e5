/** @jsxImportSource preact */
/**
 * What the script of signals reads on the account page: see signals_client.js.
 *
 * @module
 */
import type { VNode } from "preact";
import type { PasskeySignals } from "../request/account_views.ts";
import type { Page } from "../request/outcome.ts";
import { webUrl } from "./urls.ts";

/** Gives what a page tells the device of passkeys; `null` if it tells nothing. */
export function signalsOf(page: Page): PasskeySignals | null {
  if (page.name !== "account" || page.step.kind !== "overview" || !page.view) return null;
  const { passkeySignals, passkeys } = page.view;
  if (!passkeySignals?.optionsUrl) return null;
  // The device may still have the last one.
  const isRemoved = page.step.done === "removePasskey";
  return passkeys?.length || passkeySignals.upgradeUrl || isRemoved ? passkeySignals : null;
}

/** The element. It shows nothing. */
export function SignalsPart({ page }: { readonly page: Page }): VNode | null {
  const signals = signalsOf(page);
  if (!signals || page.name !== "account" || !page.view) return null;
  const { id, name, email } = page.view.user;
  const { optionsUrl, upgradeUrl } = signals;
  // As the options of a registration name them.
  const called = email ?? id;
  return (
    <div
      hidden
      data-passkeys=""
      data-options={webUrl(optionsUrl ?? "")}
      data-name={called}
      data-display-name={name ?? called}
      data-upgrade={upgradeUrl && webUrl(upgradeUrl)}
      data-csrf={upgradeUrl && (page.csrfToken ?? undefined)}
    />
  );
}
