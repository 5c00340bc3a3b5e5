import assert from "node:assert/strict";
import type { OidcProvider } from "@x/auth";
import { type AuthMethod, DEMO_ACCOUNTS, startDemoId } from "../../examples/demo/demo_id.ts";
import type { Browser } from "./browser.ts";

export interface IdentityProviderOptions {
  /** Origins of the sites it serves. @default {["http://localhost:3000"]} */
  readonly sites?: readonly string[];
  /** The ids its sites know it by. @default {["mock"]} */
  readonly ids?: readonly string[];
}

/** A real OpenID Provider on this machine. */
export interface IdentityProvider {
  readonly issuer: string;
  /** The entry for `providers`. There is one client for each method of client authentication. */
  provider(options?: Partial<OidcProvider>, authMethod?: AuthMethod): OidcProvider;
  close(): Promise<void>;
}

const METHODS: readonly AuthMethod[] = ["client_secret_basic", "client_secret_post", "none"];

/** With reserved characters, which a client must encode (RFC 6749, section 2.3.1). */
const SECRET = "s3cret:+/% with reserved characters";

export async function startIdentityProvider(options: IdentityProviderOptions = {}): Promise<IdentityProvider> {
  const { sites = ["http://localhost:3000"], ids = ["mock"] } = options;
  const redirectUris = sites.flatMap((site) => ids.map((id) => `${site}/auth/callback/${id}`));
  const { issuer, close } = await startDemoId({
    port: 0,
    accounts: DEMO_ACCOUNTS.map((account) => ({ ...account, picture: `https://example.com/${account.login}.png` })),
    clients: METHODS.map((authMethod) => ({
      clientId: authMethod,
      ...(authMethod !== "none" && { clientSecret: SECRET }),
      redirectUris,
      authMethod,
    })),
  });
  function provider(options: Partial<OidcProvider> = {}, authMethod: AuthMethod = "client_secret_basic"): OidcProvider {
    return {
      id: "mock",
      name: "Mock",
      type: "oidc",
      issuer,
      clientId: authMethod,
      ...(authMethod !== "none" && { clientSecret: SECRET }),
      client: { token_endpoint_auth_method: authMethod },
      ...options,
    };
  }
  return { issuer, provider, close };
}

/**
 * Logs in at the provider, agrees, and comes back to the site.
 *
 * @param browser A browser on the login page of the provider.
 * @param login The name to log in with.
 * @param address The login page, if the browser is not there yet.
 */
export async function logIn(browser: Browser, login = "ada", address?: string): Promise<Browser> {
  if (address !== undefined) await browser.open(address);
  for (let page = 0; browser.url.origin !== browser.origin; page++) {
    assert.ok(page < 3 && browser.status === 200, `the provider did not send back: ${browser.status} ${browser.html}`);
    const asksWho = browser.html.includes('name="login"');
    await browser.submit(asksWho ? { login, password: "any" } : {});
  }
  return browser;
}
