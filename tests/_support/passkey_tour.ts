/** A tour of what passkeys can do, from outside: over the network, or as a function answers. */
import assert from "node:assert/strict";
import type { AuthConfig } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { passkey } from "@x/auth/providers/passkey";
import { Authenticator, type CeremonyOptions, concat, type Forgery } from "./authenticator.ts";
import { Browser, type Site } from "./browser.ts";
import { type Certificate, makeCertificate } from "./certificate.ts";

/** Makes a maker of authenticators: its root, which the service must trust for the format `packed`. */
export function makeMaker(): Promise<Certificate> {
  return makeCertificate({ authority: true, subject: { 3: "Example Root" } });
}

/** The configuration of a service whose passkeys tell who made the authenticator. */
export function tourConfig(): AuthConfig {
  return {
    secret: "a secret for a tour, longer than 32 characters",
    trustHost: true,
    // That a maker is not trusted would be told.
    logger: { error: () => {} },
    adapter: memoryAdapter(),
    providers: [passkey({ registrationOptions: { attestationType: "direct" } })],
  };
}

/** Takes the tour: passkeys with and without a certificate, another browser, and a maker whom nobody trusts. */
export async function takeTour(site: Site, origin: string, maker: Certificate): Promise<void> {
  const device = new Authenticator({ origin });
  for (const [email, forgery] of [["ada@example.com", await vouched(maker)], ["bob@example.com", {}]] as const) {
    const first = new Browser(site, { origin });
    await finish(first, "register", await device.create(await offered(first, "register", email), forgery));
    assert.equal((await first.session())?.user?.email, email);

    const second = new Browser(site, { origin });
    await finish(second, "authenticate", await device.get(await offered(second, "authenticate")));
    assert.equal((await second.session())?.user?.email, email);
  }

  const stranger = new Browser(site, { origin, mayFail: true });
  const forgery = await vouched(await makeMaker());
  const options = await offered(stranger, "register", "eve@example.com");
  await finish(stranger, "register", await device.create(options, forgery));
  assert.equal(await stranger.session(), null);
}

async function offered(browser: Browser, action: string, email?: string): Promise<CeremonyOptions> {
  const query = new URLSearchParams({ action, ...(email && { email }) });
  const response = await browser.get(`/auth/webauthn-options/passkey?${query}`);
  const { options } = await response.json() as { readonly options?: CeremonyOptions };
  assert.ok(options, `${response.status}`);
  return options;
}

async function finish(browser: Browser, action: string, data: string): Promise<void> {
  const csrfToken = await browser.csrf();
  await browser.post("/auth/callback/passkey", { csrfToken, action, data });
}

/** What the certificate of a maker vouches for (WebAuthn Level 3, section 8.2). */
async function vouched(issuer: Certificate): Promise<Forgery> {
  const certificate = await makeCertificate({ issuer });
  return {
    format: "packed",
    statement: async ({ authData, clientDataHash }) => {
      const sig = await certificate.sign(concat(authData, clientDataHash));
      return new Map<string, number | Uint8Array<ArrayBuffer> | Uint8Array<ArrayBuffer>[]>([
        ["alg", -7],
        ["sig", sig],
        ["x5c", [certificate.der]],
      ]);
    },
  };
}
