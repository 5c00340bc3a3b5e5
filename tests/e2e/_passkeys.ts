/** Browsers with an authenticator that does as it is told. */
import { addVirtualAuthenticator } from "@x/auth/testing";
import type { Page } from "playwright-core";

/** What an authenticator can do, and what it does unasked. */
export interface AuthenticatorOptions {
  /** Whether it makes sure who uses it. */
  readonly isUserVerified?: boolean;
  /** Whether it stores keys. @default {true} */
  readonly storesKeys?: boolean;
  /** Whether somebody is there to agree. */
  readonly isSomebodyThere?: boolean;
}

/** An authenticator that is built into the device. */
export interface VirtualAuthenticator {
  /** How many passkeys it holds. */
  count(): Promise<number>;
  /** Takes it away, and another one in its place. */
  replace(): Promise<void>;
  /** Says whether it can make sure who uses it. */
  verifiesUser(isUserVerified: boolean): Promise<void>;
}

/** Gives a page an authenticator. Nothing is shown, and nobody has to press anything. */
export async function plugIn(page: Page, options: AuthenticatorOptions = {}): Promise<VirtualAuthenticator> {
  const { isUserVerified: verifies, storesKeys: stores, isSomebodyThere: agrees } = options;
  const add = () => addVirtualAuthenticator(page, { verifies, stores, agrees });
  let authenticator = await add();
  return {
    count: () => authenticator.count(),
    async replace() {
      await authenticator.remove();
      authenticator = await add();
    },
    verifiesUser: (isUserVerified) => authenticator.verifies(isUserVerified),
  };
}

/** Keeps the browser from offering passkeys where the address is typed: an authenticator would accept at once. */
export async function offerNothing(page: Page): Promise<void> {
  await page.addInitScript({
    content: "if (self.PublicKeyCredential) PublicKeyCredential.isConditionalMediationAvailable = async () => false;",
  });
}
