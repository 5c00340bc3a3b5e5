/** Sign-ins with LemonLDAP::NG, which tells names and addresses only at its userinfo endpoint. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createAuth, type OidcProvider } from "@x/auth";
import { Client } from "../_support/both_services.ts";
import { type LemonLdap, skipsWithoutLemonLdap, startLemonLdap } from "../_support/lemonldap.ts";
import { testConfig } from "../_support/service.ts";

const CALLBACK = "http://localhost:3000/auth/callback/lemonldap";
const SECRET = "a-secret-of-more-than-32-characters-as-it-should-be";
const COMMON = { ClientSecret: SECRET, RedirectUris: CALLBACK };

/** How each client is registered there, and what it is configured with here. */
const CLIENTS: Readonly<Record<string, { readonly there: object; readonly here: Partial<OidcProvider> }>> = {
  plain: { there: {}, here: {} },
  posted: { there: {}, here: { client: { token_endpoint_auth_method: "client_secret_post" } } },
  public: { there: { Public: 1, RequirePKCE: 1 }, here: { client: { token_endpoint_auth_method: "none" } } },
  shared_key: {
    there: { IDTokenSignAlg: "HS256" },
    here: { client: { id_token_signed_response_alg: "HS256" } },
  },
  signed_userinfo: {
    there: { UserInfoSignAlg: "RS256" },
    here: { client: { userinfo_signed_response_alg: "RS256" } },
  },
};

describe("LemonLDAP::NG", { skip: skipsWithoutLemonLdap() }, () => {
  let server: LemonLdap;
  before(async () => {
    const clients = Object.entries(CLIENTS).map(([name, { there }]) => [name, { ...COMMON, ...there }]);
    server = await startLemonLdap(Object.fromEntries(clients));
  });
  after(async () => await server?.stop());

  for (const [clientId, { here }] of Object.entries(CLIENTS)) {
    it(`signs people in as the client "${clientId}", and tells their name`, async () => {
      const provider: OidcProvider = {
        id: "lemonldap",
        name: "LemonLDAP::NG",
        type: "oidc",
        issuer: server.issuer,
        clientId,
        clientSecret: SECRET,
        ...here,
      };
      const { handler } = createAuth(
        testConfig({ providers: [provider] }),
      );
      const client = new Client({ name: "here", handler });
      const location = await client.post("/auth/signin/lemonldap", { callbackUrl: "/" });
      const back = await server.visit(location ?? "");
      assert.equal(back.origin + back.pathname, CALLBACK, back.href);
      const response = await client.send(back.pathname + back.search);
      assert.equal(response.headers.get("location"), "http://localhost:3000/", await response.text());
      const { user } = await client.json("/auth/session");
      assert.deepEqual(user, { name: "Doctor Who", email: "dwho@badwolf.org" });
    });
  }
});
