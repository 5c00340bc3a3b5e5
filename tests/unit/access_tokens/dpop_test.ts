import assert from "node:assert/strict";
import { test } from "node:test";
import { createSealer } from "../../../src/crypto/seal.ts";
import { sealKey } from "../../../src/oauth_client/dpop.ts";
import { json } from "../../_support/issuer.ts";
import { KEY, openWorld, type World, type WorldOptions } from "../../_support/refreshes.ts";
import { SECRET } from "../../_support/service.ts";

async function openBound(options: WorldOptions = {}, secret = SECRET): Promise<World> {
  const world = await openWorld({
    provider: { client: { dpop_bound_access_tokens: true } },
    answer: () => ({ token_type: "DPoP" }),
    ...options,
  });
  const { privateKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]);
  const { key_ops: _, ext: __, ...jwk } = await crypto.subtle.exportKey("jwk", privateKey);
  const sealer = createSealer([secret], world.runtime);
  await world.write({ token_type: "dpop", dpop_key: await sealKey(sealer, KEY, { ...jwk, alg: "ES256" }) });
  return world;
}

function claimsOf(proof: string | null): Record<string, unknown> {
  return JSON.parse(atob(proof?.split(".")[1]?.replaceAll("-", "+").replaceAll("_", "/") ?? ""));
}

test("a bound token is refreshed with a proof of its key, and with the nonce that the server demands", async () => {
  const { ask, issuer, row, family } = await openBound();
  issuer.override("token", (request) => {
    const { nonce } = claimsOf(request.headers.get("dpop"));
    if (nonce !== "n1") return json({ error: "use_dpop_nonce" }, 400, { "dpop-nonce": "n1" });
    return json({ ...family.refresh(family.current).body, token_type: "DPoP" });
  });
  const before = (await row()).dpop_key;
  const { accessToken, tokenType } = await ask();
  assert.deepEqual([accessToken, tokenType, family.given], ["family-access-1", "dpop", 1]);
  const [proof] = issuer.requests.filter(({ endpoint }) => endpoint === "token").map(({ headers }) =>
    headers.get("dpop")
  );
  assert.equal(claimsOf(proof ?? null).htu, `${issuer.url}/token`);
  assert.equal((await row()).dpop_key, before);
});

test("fetch of a bound token sends it with a proof, and of another one as a bearer token", async () => {
  const bound = await openBound();
  await (await bound.ask()).fetch(`${bound.issuer.url}/userinfo`);
  const sent = bound.issuer.requests.at(-1)?.headers;
  assert.equal(sent?.get("authorization"), "DPoP family-access-1");
  assert.equal(claimsOf(sent?.get("dpop") ?? null).htm, "GET");
  const plain = await openWorld();
  await (await plain.ask()).fetch(`${plain.issuer.url}/userinfo`);
  assert.equal(plain.issuer.requests.at(-1)?.headers.get("authorization"), "Bearer family-access-1");
});

test("a refresh that answers with a token which is not bound is refused, and nothing is stored", async () => {
  const { ask, row } = await openBound({ answer: () => ({ token_type: "Bearer" }) });
  await assert.rejects(() => ask(), { type: "OAuthProviderError" });
  assert.equal((await row()).access_token, "access-0");
});

test("a key that does not open is RefreshRequired, and no refresh token is sent", async () => {
  const { ask, write, runtime, issuer } = await openBound({}, "another secret of more than 32 characters");
  await assert.rejects(() => ask(), { type: "RefreshRequired", reason: "unreadable" });
  assert.equal(issuer.count("token"), 0);
  await write({ expires_at: runtime.now() / 1000 + 3000 });
  await assert.rejects(() => ask(), { type: "RefreshRequired", reason: "unreadable" });
});
