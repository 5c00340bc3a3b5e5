/** Sign-ins with Glewlwyd. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createAuth, type OidcProvider } from "@x/auth";
import { Client } from "../_support/both_services.ts";
import { type Glewlwyd, skipsWithoutGlewlwyd, startGlewlwyd } from "../_support/glewlwyd.ts";
import { testConfig } from "../_support/service.ts";

const CALLBACK = "http://localhost:3000/auth/callback/glewlwyd";
const SECRET = "a-secret-of-more-than-32-characters-as-it-should-be";

describe("Glewlwyd", { skip: skipsWithoutGlewlwyd() }, () => {
  let server: Glewlwyd;
  before(async () => {
    server = await startGlewlwyd();
  });
  after(async () => await server?.stop());

  async function signIn(clientId: string, options: Partial<OidcProvider> = {}): Promise<Client> {
    const provider: OidcProvider = {
      id: "glewlwyd",
      name: "Glewlwyd",
      type: "oidc",
      issuer: server.issuer,
      clientId,
      clientSecret: SECRET,
      ...options,
    };
    const { handler } = createAuth(
      testConfig({ providers: [provider] }),
    );
    const client = new Client({ name: "here", handler });
    const location = await client.post("/auth/signin/glewlwyd", { callbackUrl: "/" });
    const back = await server.visit(clientId, location ?? "");
    assert.equal(back.origin + back.pathname, CALLBACK, back.href);
    const response = await client.send(back.pathname + back.search);
    assert.equal(response.headers.get("location"), "http://localhost:3000/", await response.text());
    return client;
  }

  for (const method of ["client_secret_basic", "client_secret_post", "client_secret_jwt"]) {
    it(`signs people in with ${method}, and tells their name at userinfo`, async () => {
      await server.register(method, {
        password: SECRET,
        client_secret: SECRET,
        redirect_uri: [CALLBACK],
        authorization_type: ["code", "refresh_token"],
        token_endpoint_auth_method: [method],
      });
      // It takes its own URL for the audience of an assertion, as OpenID Connect Core, section 9, has it.
      const client = await signIn(method, {
        client: { token_endpoint_auth_method: method },
        token: { clientAssertionAudience: "token_endpoint" },
      });
      const { user } = await client.json("/auth/session");
      assert.deepEqual(user, { name: "Ada Lovelace", email: "ada@example.com" });
    });
  }
});
