/**
 * An authenticator for passkeys in a browser that Playwright drives.
 *
 * @module
 */

/** The part of a page of Playwright that is used. */
export interface PlaywrightPage {
  /** The context of the page. */
  context(): {
    /** Opens a session of the developer tools, which Chromium has. */
    newCDPSession(page: unknown): Promise<DevTools>;
  };
}

/** A session of the developer tools. */
export interface DevTools {
  /** Sends a command. */
  send(method: string, params?: object): Promise<unknown>;
}

/** Options of {@linkcode addVirtualAuthenticator}. */
export interface PageAuthenticatorOptions {
  /** Whether it stores passkeys, so that nobody has to name themselves. @default {true} */
  readonly stores?: boolean | undefined;
  /** Whether it asks for a PIN or a finger, and gets it. @default {true} */
  readonly verifies?: boolean | undefined;
  /** Whether somebody is there, who agrees at once. @default {true} */
  readonly agrees?: boolean | undefined;
}

/** An authenticator of a page. */
export interface PageAuthenticator {
  /** How many passkeys it has. */
  count(): Promise<number>;
  /** Says whether it gets the PIN or the finger that it asks for. */
  verifies(isVerified: boolean): Promise<void>;
  /** Takes it away, and its passkeys. */
  remove(): Promise<void>;
}

/**
 * Gives a page an authenticator that answers at once, so that people who sign in there have a passkey.
 *
 * @example Usage
 * ```ts ignore
 * import { test } from "@playwright/test";
 * import { addVirtualAuthenticator } from "@x/auth/testing";
 *
 * test("somebody makes a passkey", async ({ page }) => {
 *   await addVirtualAuthenticator(page);
 *   await page.goto("/auth/signin");
 *   // …
 * });
 * ```
 *
 * @param page A page of Playwright, in Chromium.
 * @see {@link https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn/ | The domain WebAuthn of the developer tools}
 */
export async function addVirtualAuthenticator(
  page: PlaywrightPage,
  { stores = true, verifies = true, agrees = true }: PageAuthenticatorOptions = {},
): Promise<PageAuthenticator> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable", { enableUI: false });
  const added = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: stores,
      hasUserVerification: true,
      isUserVerified: verifies,
      automaticPresenceSimulation: agrees,
    },
  });
  // The protocol of the developer tools says so.
  const { authenticatorId } = added as { readonly authenticatorId: string };
  return {
    async count() {
      const found = await devtools.send("WebAuthn.getCredentials", { authenticatorId });
      return (found as { readonly credentials: readonly unknown[] }).credentials.length;
    },
    async verifies(isUserVerified) {
      await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    },
    async remove() {
      await devtools.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
    },
  };
}
