/** Whole sign-ins at a real OpenID Provider that demands encryption, or tokens that are bound to a key. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Account, type ClientMetadata, createAuth, customFetch } from "@x/auth";
import { accountFetch } from "@x/auth/account-fetch";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { Browser } from "../_support/browser.ts";
import { createIssuer, json } from "../_support/issuer.ts";
import { recordLog, SECRET, testConfig } from "../_support/service.ts";
import { startStrictProvider } from "../_support/strict_provider.ts";

interface SignedIn {
  readonly name: string | null | undefined;
  readonly account: Account | null | undefined;
  readonly errors: readonly Error[];
}

/** What the provider demands: members of the registration, and features. */
interface Demands {
  readonly registered: Readonly<Record<string, unknown>>;
  readonly features: object;
}

const SECRET_OF_CLIENT = "the secret of the client, longer than thirty-two characters";

const REGISTERED = { id_token_signed_response_alg: "ES256" };

/** Signs Ada in, with the service configured by `client`. */
async function signIn(
  { registered, features }: Demands,
  client: ClientMetadata,
  { visit, ...config }: Parameters<typeof testConfig>[0] & {
    visit?: (account: Account, issuer: string) => Promise<void>;
  } = {},
): Promise<SignedIn> {
  const redirect_uris = ["http://localhost:3000/auth/callback/strict"];
  const { issuer, close } = await startStrictProvider(() => ({
    features,
    clients: [{ client_id: "app", client_secret: SECRET_OF_CLIENT, redirect_uris, ...REGISTERED, ...registered }],
  }));
  const { logger, errors } = recordLog();
  let account: Account | null | undefined;
  try {
    const { handler } = createAuth(testConfig({
      providers: [{
        id: "strict",
        name: "Strict",
        type: "oidc",
        issuer,
        clientId: "app",
        clientSecret: SECRET_OF_CLIENT,
        client: { ...REGISTERED, ...client },
      }],
      logger,
      events: { signIn: (message) => void (account = message.account) },
      ...config,
    }));
    const browser = await new Browser(handler, { mayFail: true }).allow(issuer).signIn("strict");
    const session = await browser.session();
    if (account && visit) await visit(account, issuer);
    return { name: session?.user?.name, account, errors };
  } finally {
    await close();
  }
}

async function decryptionPair(alg: string): Promise<{ readonly key: CryptoKey; readonly jwks: object }> {
  const pair = alg.startsWith("RSA")
    ? await crypto.subtle.generateKey(
      {
        name: "RSA-OAEP",
        modulusLength: 2048,
        publicExponent: new Uint8Array([1, 0, 1]),
        hash: alg === "RSA-OAEP" ? "SHA-1" : "SHA-256",
      },
      true,
      ["encrypt", "decrypt"],
    )
    : await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
  // Deno writes an `alg` there, ECDH, that does not exist.
  const { key_ops: _, ext: __, alg: ___, ...jwk } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  return { key: pair.privateKey, jwks: { keys: [{ ...jwk, kid: "enc-1", use: "enc" }] } };
}

for (
  const [alg, enc] of [
    ["ECDH-ES", "A256GCM"],
    ["RSA-OAEP-256", "A128CBC-HS256"],
    ["RSA-OAEP", "A256CBC-HS512"],
    ["A256KW", "A128GCM"],
    ["dir", "A128CBC-HS256"],
  ] as const
) {
  test(`a visitor signs in where id_tokens and userinfo are encrypted with ${alg} and ${enc}`, async () => {
    const { key, jwks } = await decryptionPair(alg);
    const encrypted = {
      id_token_encrypted_response_alg: alg,
      id_token_encrypted_response_enc: enc,
      userinfo_signed_response_alg: "ES256",
      userinfo_encrypted_response_alg: alg,
      userinfo_encrypted_response_enc: enc,
    };
    const { name, account, errors } = await signIn(
      {
        registered: { ...encrypted, jwks },
        features: { encryption: { enabled: true }, jwtUserinfo: { enabled: true } },
      },
      { ...encrypted, decryptionKeys: [{ key, kid: "enc-1" }] },
    );
    assert.deepEqual([name, errors], ["Ada Lovelace", []]);
    assert.equal(account?.id_token?.split(".").length, 3);
  });
}

test("a visitor does not sign in where the key for id_tokens is missing, and the log says which option to set", async () => {
  const { jwks } = await decryptionPair("ECDH-ES");
  const encrypted = { id_token_encrypted_response_alg: "ECDH-ES" };
  const demands = { registered: { ...encrypted, jwks }, features: { encryption: { enabled: true } } };
  const { name, errors } = await signIn(demands, {});
  assert.equal(name, undefined);
  assert.match(errors.map(String).join(), /`client\.decryptionKeys` and `client\.id_token_encrypted_response_alg`/);
});

for (const nonces of [false, true]) {
  test(`a visitor signs in where tokens are bound to a key, ${nonces ? "with" : "without"} nonces, and they work later`, async () => {
    const dPoP = {
      enabled: true,
      ...(nonces && { nonceSecret: new Uint8Array(32).fill(7), requireNonce: () => true }),
    };
    if ("nonceSecret" in dPoP) dPoP.nonceSecret = Buffer.from(dPoP.nonceSecret as Uint8Array);
    const adapter = memoryAdapter();
    let stored: Account | null = null;
    const { name, account, errors } = await signIn(
      { registered: { dpop_bound_access_tokens: true }, features: { dPoP } },
      { dpop_bound_access_tokens: true },
      {
        adapter,
        async visit(account, issuer) {
          stored = await adapter.getAccount(account.providerAccountId, account.provider);
          assert.ok(stored);
          const later = await accountFetch(stored, { secret: SECRET });
          const answer = await later(`${issuer}/me`);
          assert.equal((await answer.json()).name, "Ada Lovelace");
          // Whoever has only the token has nothing.
          for (const scheme of ["Bearer", "DPoP"]) {
            const headers = { authorization: `${scheme} ${account.access_token}` };
            const refused = await fetch(`${issuer}/me`, { headers });
            await refused.body?.cancel();
            assert.ok(refused.status >= 400);
          }
        },
      },
    );
    assert.deepEqual([name, errors], ["Ada Lovelace", []]);
    assert.deepEqual([account?.token_type, typeof account?.dpop_key], ["dpop", "string"]);
    assert.ok(stored);
  });
}

test("everything at once: encrypted, signed, bound to a key with nonces, in sessions without storage", async () => {
  const { key, jwks } = await decryptionPair("ECDH-ES");
  const client = {
    id_token_encrypted_response_alg: "ECDH-ES",
    userinfo_signed_response_alg: "ES256",
    userinfo_encrypted_response_alg: "ECDH-ES",
    dpop_bound_access_tokens: true,
  };
  const { name, errors } = await signIn(
    {
      registered: { ...client, jwks },
      features: {
        encryption: { enabled: true },
        jwtUserinfo: { enabled: true },
        dPoP: { enabled: true, nonceSecret: Buffer.alloc(32, 7), requireNonce: () => true },
      },
    },
    { ...client, decryptionKeys: [key] },
  );
  assert.deepEqual([name, errors], ["Ada Lovelace", []]);
});

/** The public key of the proof in a request, as text. */
function keyOf(headers: Headers): string {
  const [header = ""] = (headers.get("dpop") ?? "").split(".");
  return JSON.stringify(JSON.parse(atob(header.replaceAll("-", "+").replaceAll("_", "/"))).jwk);
}

test("a refresh token is used with the key that it was given for, after sign-ins that brought none", async () => {
  const issuer = createIssuer({ now: () => Math.floor(Date.now() / 1000) });
  const adapter = memoryAdapter();
  const send = (...args: Parameters<typeof fetch>) => issuer.fetch(new Request(...args));
  const provider = issuer.provider({ client: { dpop_bound_access_tokens: true } });
  const { handler, accessToken } = createAuth(
    testConfig({ adapter, session: { strategy: "jwt" }, providers: [{ ...provider, [customFetch]: send }] }),
  );
  const lastRequest = () => issuer.requests.at(-1);
  issuer.override("token", (_, honest) => {
    if (lastRequest()?.form.get("grant_type") !== "refresh_token") return honest();
    return Promise.resolve(json({ access_token: "fresh", token_type: "DPoP", expires_in: 600 }));
  });
  const usedKeys = (endpoint: string) => {
    return issuer.requests.filter((request) => request.endpoint === endpoint).map(({ headers }) => keyOf(headers));
  };
  const signIn = async (grant: { readonly access_token: string; readonly refresh_token: string | undefined }) => {
    issuer.grant({ token_type: "DPoP", expires_in: 600, ...grant });
    const browser = new Browser(handler);
    const started = await browser.post("/auth/signin/idp", { csrfToken: await browser.csrf() });
    const { redirectUri, params } = await issuer.consent(started.headers.get("location") ?? "");
    await browser.open(`${redirectUri}?${params}`);
    return usedKeys("token").at(-1);
  };
  const row = async () => {
    const account = await adapter.getAccount("ada-1", "idp");
    assert.ok(account);
    return account;
  };
  const refresh = async () => {
    const { userId, access_token: refused } = await row();
    const token = await accessToken({ userId }, "idp", { refused });
    return { token, key: usedKeys("token").at(-1), sent: lastRequest()?.form.get("refresh_token") };
  };
  /** The key of the proof that comes with the stored access token. */
  const keyOfStored = async () => {
    await (await accountFetch(await row(), { secret: SECRET, fetch: send }))(`${issuer.url}/userinfo`);
    return usedKeys("userinfo").at(-1);
  };

  const first = await signIn({ access_token: "access-1", refresh_token: "refresh-1" });
  const second = await signIn({ access_token: "access-2", refresh_token: undefined });
  assert.notEqual(second, first);
  assert.deepEqual([(await row()).access_token, await keyOfStored()], ["access-2", second]);

  const { token, key, sent } = await refresh();
  assert.deepEqual([sent, key], ["refresh-1", first]);
  // What the refresh brought is bound to its key, for the caller and for whoever reads the account.
  await token.fetch(`${issuer.url}/userinfo`);
  assert.deepEqual([usedKeys("userinfo").at(-1), await keyOfStored()], [first, first]);

  // A new refresh token comes with its own key.
  const third = await signIn({ access_token: "access-3", refresh_token: "refresh-2" });
  const again = await refresh();
  assert.deepEqual([again.sent, again.key], ["refresh-2", third]);
});
