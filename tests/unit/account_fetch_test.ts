/** Requests with the token of an account, after the sign-in. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { accountFetch, type FetchLike } from "../../src/account_fetch.ts";
import { InvalidConfig, MissingSecret } from "../../src/kernel/errors.ts";
import type { Account } from "../../src/kernel/model.ts";
import { type Proof, verifyProof } from "../_support/dpop_peer.ts";
import { createIssuer } from "../_support/issuer.ts";
import { SECRET, visit } from "./oauth/_flow.ts";

const API = "https://api.test/items";

/** Signs in where tokens are bound, and gives the account. */
async function boundAccount(): Promise<Account> {
  const issuer = createIssuer();
  issuer.grant({ token_type: "DPoP" });
  const client = { dpop_bound_access_tokens: true };
  return (await visit(issuer, issuer.provider({ client })).signIn(issuer)).account;
}

interface Api {
  readonly fetch: FetchLike;
  readonly proofs: Proof[];
  readonly bodies: string[];
}

function api(account: Account, answers: readonly (() => Response)[] = []): Api {
  const waiting = [...answers];
  const [proofs, bodies]: [Proof[], string[]] = [[], []];
  const fetch: FetchLike = async (input, init) => {
    const request = new Request(input, init);
    const { method, url, headers, redirect } = request;
    assert.equal(headers.get("authorization"), `DPoP ${account.access_token}`);
    assert.notEqual(redirect, "follow");
    const now = Date.now() / 1000;
    const htu = url.replace(/[?#].*$/, "");
    proofs.push(await verifyProof(headers, { method, url: htu, now, accessToken: account.access_token }));
    bodies.push(`${headers.get("content-type")} ${await request.text()}`);
    return waiting.shift()?.() ?? new Response("items");
  };
  return { fetch, proofs, bodies };
}

const challenge = (nonce: string) => () =>
  new Response("", {
    status: 401,
    headers: { "dpop-nonce": nonce, "www-authenticate": 'Bearer realm="x", DPoP error="use_dpop_nonce"' },
  });

test("a token that is bound to a key is sent with a proof for each request", async () => {
  const account = await boundAccount();
  const { fetch, proofs, bodies } = api(account);
  const send = await accountFetch(account, { secret: SECRET, fetch });
  assert.equal(await (await send(`${API}?page=2#top`)).text(), "items");
  await send(new URL(API), { method: "put", body: new URLSearchParams({ a: "b" }) });
  await send(new Request(API, { method: "DELETE", headers: { authorization: "Bearer other", dpop: "other" } }));
  assert.equal(new Set(proofs.map(({ jti }) => jti)).size, 3);
  assert.match(bodies[1] ?? "", /^application\/x-www-form-urlencoded.* a=b$/);
});

test("a request is repeated once, with its body, if the API demands a nonce, which is remembered", async () => {
  const account = await boundAccount();
  const { fetch, proofs, bodies } = api(account, [
    challenge("n1"),
    () => new Response("", { headers: { "dpop-nonce": "n2" } }),
  ]);
  const send = await accountFetch(account, { secret: SECRET, fetch });
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode("stream"));
      controller.close();
    },
  });
  await send(API, { method: "POST", body, ...({ duplex: "half" }) });
  await (await accountFetch(account, { secret: SECRET, fetch }))(API);
  assert.deepEqual(proofs.map(({ nonce }) => nonce), [undefined, "n1", "n2"]);
  assert.deepEqual(bodies.slice(0, 2), ["null stream", "null stream"]);
});

test("a refusal is given as it is, also if the API never stops demanding nonces", async () => {
  const account = await boundAccount();
  const expired = () =>
    new Response("", { status: 401, headers: { "www-authenticate": 'DPoP error="invalid_token"' } });
  for (const answers of [[expired], ["1", "2", "3"].map(challenge)]) {
    const { fetch, proofs } = api(account, answers);
    const response = await (await accountFetch(account, { secret: SECRET, fetch }))(API);
    assert.deepEqual([response.status, proofs.length], [401, answers.length === 1 ? 1 : 2]);
  }
});

test("the key opens only with the secret, and for the account that it was made for", async () => {
  const account = await boundAccount();
  const { fetch } = api(account);
  const secret = "another secret of more than thirty-two characters";
  const broken: readonly (readonly [account: Account, secret: string, says: RegExp])[] = [
    [account, secret, /sealed with another secret/],
    [{ ...account, providerAccountId: "eve" }, SECRET, /of another account/],
    [{ ...account, provider: "other" }, SECRET, /of another account/],
    [{ ...account, dpop_key: '{"kty":"EC"}' }, SECRET, /sealed/],
    [{ ...account, dpop_key: undefined }, SECRET, /has none/],
    [{ ...account, access_token: undefined }, SECRET, /the account has none/],
  ];
  for (const [given, secret, says] of broken) {
    await assert.rejects(() => accountFetch(given, { secret, fetch }), (error: Error) => {
      return error instanceof InvalidConfig && says.test(error.message);
    });
  }
  await assert.rejects(() => accountFetch(account, { secret: undefined }), MissingSecret);
  assert.ok(await accountFetch(account, { secret: [secret, SECRET], fetch }));
  const untyped = await accountFetch({ ...account, token_type: undefined }, { secret: SECRET, fetch });
  assert.equal((await untyped(API)).status, 200);
});

test("a bearer token is sent as one, and neither kind of token leaves https or follows a redirect", async () => {
  const bearer = { provider: "idp", providerAccountId: "1", access_token: "t", token_type: "bearer" } as const;
  const seen: (string | null)[] = [];
  const fetch: FetchLike = (input, init) => {
    const { headers, redirect } = new Request(input, init);
    seen.push(`${headers.get("authorization")} ${headers.get("x")} ${redirect}`);
    return Promise.resolve(new Response());
  };
  const send = await accountFetch(bearer, { secret: SECRET, fetch });
  await send(API, { headers: { x: "1" } });
  await send(new Request(API, { headers: { x: "2", authorization: "Basic x" } }), { redirect: "manual" });
  assert.deepEqual(seen, ["Bearer t 1 error", "Bearer t 2 manual"]);
  const account = await boundAccount();
  for (const each of [send, await accountFetch(account, { secret: SECRET, fetch })]) {
    for (const url of ["http://api.test/", "https://user@api.test/", "ftp://api.test/", "/items"]) {
      await assert.rejects(() => each(url), TypeError);
    }
  }
  assert.equal(seen.length, 2);
});
