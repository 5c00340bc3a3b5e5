/** A real OpenID Provider on this machine that ends sessions: `npm:oidc-provider` with its features for logout. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { OidcProvider } from "@x/auth";

export interface LogoutProvider {
  readonly issuer: string;
  /** The entry for `providers`. */
  provider(options?: Partial<OidcProvider>): OidcProvider;
  /** What became of each logout token that it posted. */
  readonly posted: ("success" | Error)[];
  close(): Promise<void>;
}

/** The parts of the library that are used; it has no types. */
interface Library {
  readonly Provider: new (issuer: string, configuration: object) => {
    callback(): Parameters<typeof createServer>[1];
    on(event: string, listener: (ctx: unknown, error: Error) => void): void;
  };
}

const CLIENT = { id: "site", secret: "a secret of the client" };

/** Starts the provider for one site. */
export async function startLogoutProvider(site: string): Promise<LogoutProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const posted: LogoutProvider["posted"] = [];
  const { warn, info } = console;
  Object.assign(console, { warn: () => {}, info: () => {} });
  try {
    const { Provider } = await import("oidc-provider") as Library;
    const provider = new Provider(issuer, {
      clients: [{
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${site}/auth/callback/mock`],
        post_logout_redirect_uris: [`${site}/auth/signout/mock`],
        backchannel_logout_uri: `${site}/auth/backchannel-logout/mock`,
        backchannel_logout_session_required: true,
      }],
      cookies: { keys: ["cookies"] },
      claims: { openid: ["sub", "sid"], profile: ["name"], email: ["email", "email_verified"] },
      findAccount: (_: unknown, login: string) => ({
        accountId: login,
        claims: () => ({ sub: login, name: login, email: `${login}@example.com`, email_verified: true }),
      }),
      features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
      ttl: { AccessToken: 600, Grant: 3600, IdToken: 600, Interaction: 600, Session: 3600 },
      // Without the guard of the library, which lets nothing reach this machine.
      fetch: (input: string | URL, { method, headers, body }: RequestInit) =>
        fetch(input, { method, headers, body } as RequestInit),
    });
    provider.on("backchannel.success", () => void posted.push("success"));
    provider.on("backchannel.error", (_, error) => void posted.push(error));
    const answer = provider.callback();
    server.on("request", (request, response) => void answer?.(request, response as never));
  } finally {
    Object.assign(console, { warn, info });
  }
  return {
    issuer,
    posted,
    provider: (options = {}) => ({
      id: "mock",
      name: "Mock",
      type: "oidc",
      issuer,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      logout: true,
      ...options,
    }),
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
