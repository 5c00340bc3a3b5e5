/** People who register with a password, open the links of emails, and choose new passwords. */
import assert from "node:assert/strict";
import type { OutgoingMail } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import type { Browser } from "./browser.ts";
import { openPasswordSite, type PasswordSite, type PasswordSiteOptions } from "./passwords.ts";
import { testRuntime } from "./runtime.ts";

/** A site with passwords, and the emails that it has sent. */
export interface VisitedSite extends PasswordSite {
  readonly mails: OutgoingMail[];
  /** The link of the last email to an address, or of the one before. */
  linkTo(address: string, before?: number): string;
  /** The addresses that emails went to, with their subjects. */
  sent(): string[];
  /** Fills the page to register. */
  signUp(browser: Browser, email: string, text: string, name?: string): Promise<Browser>;
  /** Fills the page to ask for a new password. */
  forget(browser: Browser, email: string): Promise<Browser>;
  /** Registers and opens the link in the same browser. */
  arrive(email: string, text: string): Promise<Browser>;
  /** Whether somebody gets in with a password. */
  opens(email: string, text: string): Promise<boolean>;
  /** The address of whoever is signed in. */
  who(browser: Browser): Promise<string | null>;
}

/** Opens a site over memory, unless an adapter is given. */
export function openVisitedSite(options: Partial<PasswordSiteOptions> = {}): VisitedSite {
  const runtime = options.runtime ?? testRuntime();
  const mails: OutgoingMail[] = [];
  const adapter = options.adapter ?? memoryAdapter({ now: runtime.now });
  const mail = (mail: OutgoingMail) => void mails.push(mail);
  const site = openPasswordSite({ mail, ...options, runtime, adapter });
  const who = async (browser: Browser) => (await browser.session())?.user?.email ?? null;
  const linkTo = (address: string, before = 0) => {
    const mail = mails.filter(({ to }) => to === address).at(-1 - before);
    return /https?:\S+/.exec(mail?.text ?? "")?.[0] ?? assert.fail(`no email to ${address}`);
  };
  const signUp = async (browser: Browser, email: string, password: string, name?: string) => {
    await browser.open("/auth/signup");
    return await browser.submit({ email, password, ...(name !== undefined && { name }) }, "/signup");
  };
  return {
    ...site,
    mails,
    linkTo,
    who,
    signUp,
    sent: () => mails.map(({ to, subject }) => `${to}: ${subject}`),
    forget: async (browser, email) => {
      await browser.open("/auth/reset");
      return await browser.submit({ email }, "/reset");
    },
    arrive: async (email, text) => {
      const browser = await signUp(site.browser(), email, text);
      return await browser.open(linkTo(email));
    },
    opens: async (email, text) => {
      const browser = site.browser();
      const error = await site.enter(browser, email, text);
      assert.equal(error === null, await who(browser) === email);
      return error === null;
    },
  };
}
