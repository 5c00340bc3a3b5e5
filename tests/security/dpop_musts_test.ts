/** What RFC 9449 demands of a client. Each row is a server that lies, or that checks what this service sends. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { BadRequest, InvalidCheck, InvalidConfig, OAuthProviderError } from "../../src/kernel/errors.ts";
import type { OidcProvider } from "../../src/contract/provider.ts";
import type { Runtime } from "../../src/kernel/runtime.ts";
import { type Proof, verifyProof } from "../_support/dpop_peer.ts";
import { type Change, createIssuer, type Issuer, json } from "../_support/issuer.ts";
import { allOf, NOW, type Visit, visit } from "../unit/oauth/_flow.ts";

interface Server {
  readonly issuer: Issuer;
  readonly browser: Visit;
  /** The proofs that were verified, of the token endpoint and of userinfo. */
  readonly proofs: { readonly token: Proof[]; readonly userinfo: Proof[] };
}

interface Lies {
  readonly metadata?: Change;
  readonly grant?: Change;
  readonly provider?: Partial<OidcProvider>;
  /** Answers of the token endpoint before the honest one. */
  readonly token?: readonly ((seen: Proof) => Response)[];
  /** Answers of the userinfo endpoint before the honest one. */
  readonly userinfo?: readonly ((seen: Proof) => Response)[];
}

/** A provider that demands DPoP and verifies every proof. */
function serve({ metadata = {}, grant = {}, provider = {}, ...lies }: Lies = {}): Server {
  const issuer = createIssuer({ metadata });
  const client = { dpop_bound_access_tokens: true };
  const browser = visit(issuer, issuer.provider({ client, idToken: false, ...provider }));
  const proofs: Server["proofs"] = { token: [], userinfo: [] };
  issuer.grant({ token_type: "DPoP", ...grant });
  const waiting = { token: [...lies.token ?? []], userinfo: [...lies.userinfo ?? []] };
  for (const endpoint of ["token", "userinfo"] as const) {
    issuer.override(endpoint, async (request, honest) => {
      const accessToken = endpoint === "userinfo" ? request.headers.get("authorization")?.slice(5) : undefined;
      const url = `${issuer.url}/${endpoint}`;
      const now = browser.runtime.now() / 1000;
      const proof = await verifyProof(request.headers, { method: request.method, url, accessToken, now });
      proofs[endpoint].push(proof);
      return waiting[endpoint].shift()?.(proof) ?? await honest();
    });
  }
  return { issuer, browser, proofs };
}

const nonceError = (nonce: string) => () => json({ error: "use_dpop_nonce" }, 400, { "dpop-nonce": nonce });

const nonceChallenge = (nonce: string) => () =>
  new Response("", {
    status: 401,
    headers: { "dpop-nonce": nonce, "www-authenticate": 'DPoP error="use_dpop_nonce", algs="ES256"' },
  });

test("4.2, 4.3: proofs at the token endpoint and at userinfo are what the RFC says, by the clock of the service", async () => {
  const { issuer, browser, proofs } = serve();
  browser.runtime.advance(5000);
  issuer.claim({ iat: NOW + 5000, exp: NOW + 5300 });
  const { account } = await browser.signIn(issuer);
  assert.deepEqual([proofs.token.length, proofs.userinfo.length], [1, 1]);
  const [token, userinfo] = [proofs.token[0], proofs.userinfo[0]];
  assert.equal(token?.jkt, userinfo?.jkt);
  assert.equal(account.token_type, "dpop");
  assert.match(issuer.requests.at(-1)?.headers.get("authorization") ?? "", /^DPoP access-/);
});

test("4.2, 11.1: each proof has an id of its own", async () => {
  const { issuer, browser, proofs } = serve({ token: [nonceError("n1")], userinfo: [nonceChallenge("n2")] });
  await browser.signIn(issuer);
  const ids = [...proofs.token, ...proofs.userinfo].map(({ jti }) => jti);
  assert.deepEqual([ids.length, new Set(ids).size], [4, 4]);
});

test("4.2: htu is the URL without query and fragment", async () => {
  const { issuer, browser, proofs } = serve({
    provider: {
      token: { url: "https://idp.test/token", params: { tenant: "a" } },
      userinfo: { url: "https://idp.test/userinfo", params: { fields: "name" } },
    },
  });
  await browser.signIn(issuer);
  assert.deepEqual([proofs.token.length, proofs.userinfo.length], [1, 1]);
  assert.ok(issuer.requests.some(({ url }) => url.endsWith("/token?tenant=a")));
  assert.ok(issuer.requests.some(({ url }) => url.endsWith("/userinfo?fields=name")));
});

for (
  const [offered, alg] of [
    [undefined, "ES256"],
    [["RS256", "ES256", "Ed25519"], "ES256"],
    [["PS256", "ES384"], "ES384"],
    [["ES512"], "ES512"],
    [["Ed25519"], "Ed25519"],
    [["EdDSA"], "EdDSA"],
  ] as const
) {
  test(`5.1: where the server offers ${offered?.join(" and ") ?? "nothing"}, proofs are signed with ${alg}`, async () => {
    const metadata = { ...(offered && { dpop_signing_alg_values_supported: offered }) };
    const { issuer, browser, proofs } = serve({ metadata });
    await browser.signIn(issuer);
    assert.deepEqual(proofs.userinfo.map((proof) => proof.alg), [alg]);
  });
}

for (const offered of [["RS256", "PS256"], ["none"], ["HS256"], [], "ES256", { ES256: true }]) {
  test(`4.2: where the server offers only ${JSON.stringify(offered)}, no sign-in begins`, async () => {
    const { browser } = serve({ metadata: { dpop_signing_alg_values_supported: offered } });
    await assert.rejects(() => browser.start(), (error: Error) => {
      return error instanceof OAuthProviderError && error.message.includes(JSON.stringify(offered));
    });
  });
}

for (const token_type of ["Bearer", "bearer", "N_A", "mac", "DPoP ", "", undefined, 1, ["DPoP", "x"]]) {
  test(`5: an answer with token_type ${JSON.stringify(token_type) ?? "absent"} is discarded`, async () => {
    const { issuer, browser } = serve({ grant: { token_type } });
    await assert.rejects(() => browser.signIn(issuer), (error: Error) => {
      assert.ok(error instanceof OAuthProviderError);
      assert.match(error.message, /token_type must be DPoP, as `client.dpop_bound_access_tokens` says/);
      return true;
    });
    assert.equal(issuer.count("userinfo"), 0);
  });
}

test("5: the type of a token may be written in any case", async () => {
  for (const token_type of ["DPoP", "dpop", "DPOP"]) {
    const { issuer, browser } = serve({ grant: { token_type } });
    assert.equal((await browser.signIn(issuer)).account.token_type, "dpop");
  }
});

test("5: tokens of plain OAuth are bound, too", async () => {
  for (const [token_type, isBound] of [["DPoP", true], ["Bearer", false]] as const) {
    const issuer = createIssuer();
    issuer.grant({ token_type, id_token: undefined });
    const browser = visit(issuer, issuer.oauthProvider({ client: { dpop_bound_access_tokens: true } }));
    if (!isBound) await assert.rejects(() => browser.signIn(issuer), OAuthProviderError);
    else assert.match((await browser.signIn(issuer)).account.dpop_key, /^sealed:/);
    assert.equal(issuer.count("userinfo"), isBound ? 1 : 0);
  }
});

test("8: the request is repeated once with the nonce of the authorization server", async () => {
  const { issuer, browser, proofs } = serve({ token: [nonceError("of.the-server~1")] });
  await browser.signIn(issuer);
  assert.deepEqual(proofs.token.map(({ nonce }) => nonce), [undefined, "of.the-server~1"]);
});

test("8: a server that always demands another nonce is asked twice", async () => {
  const { issuer, browser, proofs } = serve({ token: ["1", "2", "3", "4"].map(nonceError) });
  await assert.rejects(() => browser.signIn(issuer), OAuthProviderError);
  assert.deepEqual(proofs.token.map(({ nonce }) => nonce), [undefined, "1"]);
});

test("8: without a nonce, a request is not repeated", async () => {
  for (const headers of [{}, { "dpop-nonce": "" }, { "dpop-nonce": "a b" }]) {
    const { issuer, browser, proofs } = serve({ token: [() => json({ error: "use_dpop_nonce" }, 400, headers)] });
    await assert.rejects(() => browser.signIn(issuer), OAuthProviderError);
    assert.equal(proofs.token.length, 1);
  }
});

test("8: another error together with a nonce is not a reason to send the code again", async () => {
  for (const error of ["invalid_grant", "invalid_dpop_proof", "server_error"]) {
    const { issuer, browser, proofs } = serve({ token: [() => json({ error }, 400, { "dpop-nonce": "1" })] });
    await assert.rejects(() => browser.signIn(issuer));
    assert.equal(proofs.token.length, 1);
  }
});

for (const nonce of ["a b", 'a"b', "a\\b", "é", "x".repeat(1025), "1, 2"]) {
  test(`8.1: a nonce that is malformed is not sent: ${JSON.stringify(nonce.slice(0, 10))}`, async () => {
    const { issuer, browser, proofs } = serve({ token: [nonceError(nonce)] });
    await assert.rejects(() => browser.signIn(issuer), OAuthProviderError);
    assert.deepEqual(proofs.token.map((proof) => proof.nonce), [undefined]);
  });
}

test("8.2: a new nonce of any answer is used from then on, also by the next person", async () => {
  const { issuer, browser, proofs } = serve({ token: [nonceError("1"), (_) => json({}, 500, { "dpop-nonce": "2" })] });
  await assert.rejects(() => browser.signIn(issuer), OAuthProviderError);
  await browser.signIn(issuer);
  assert.deepEqual(proofs.token.map(({ nonce }) => nonce), [undefined, "1", "2"]);
  assert.deepEqual(proofs.userinfo.map(({ nonce }) => nonce), ["2"]);
});

test("9: the request is repeated once with the nonce of a resource server", async () => {
  const { issuer, browser, proofs } = serve({ userinfo: [nonceChallenge("r1")] });
  await browser.signIn(issuer);
  assert.deepEqual(proofs.userinfo.map(({ nonce }) => nonce), [undefined, "r1"]);
  const stubborn = serve({ userinfo: ["1", "2", "3"].map(nonceChallenge) });
  await assert.rejects(() => stubborn.browser.signIn(stubborn.issuer), OAuthProviderError);
  assert.equal(stubborn.proofs.userinfo.length, 2);
});

test("9: a nonce is sent only to the origin that gave it", async () => {
  const other = "https://api.idp.test/userinfo";
  const issuer = createIssuer({ metadata: { userinfo_endpoint: other } });
  const nonces: (string | undefined)[] = [];
  issuer.grant({ token_type: "DPoP" });
  issuer.override("token", nonceError("of the server".replaceAll(" ", "")), 1);
  const fetch: Runtime["fetch"] = async (input, init) => {
    const request = new Request(input, init);
    if (request.url !== other) return await issuer.fetch(request);
    const accessToken = request.headers.get("authorization")?.slice(5);
    const proof = await verifyProof(request.headers, { method: "GET", url: other, now: NOW, accessToken });
    nonces.push(proof.nonce);
    return json({ sub: "ada-1", name: "Ada" });
  };
  const client = { dpop_bound_access_tokens: true };
  const browser = visit(issuer, issuer.provider({ client, idToken: false }), {});
  Object.assign(browser.runtime, { fetch });
  await browser.signIn(issuer);
  assert.deepEqual(nonces, [undefined]);
});

test("7.1: a redirect of userinfo is not followed with the token", async () => {
  const away = () => new Response(null, { status: 302, headers: { location: "https://evil.test/" } });
  const { issuer, browser } = serve({ userinfo: [away] });
  await assert.rejects(() => browser.signIn(issuer), OAuthProviderError);
  assert.ok(issuer.requests.every(({ url }) => url.startsWith(issuer.url)));
});

test("10: the authorization request has the thumbprint of the key, which each sign-in makes anew", async () => {
  const { issuer, browser, proofs } = serve();
  const thumbprints: (string | null)[] = [];
  for (const _ of [1, 2]) {
    const location = await browser.start();
    thumbprints.push(new URL(location).searchParams.get("dpop_jkt"));
    await browser.finish((await issuer.consent(location)).params);
  }
  assert.deepEqual(proofs.token.map(({ jkt }) => jkt), thumbprints);
  assert.notEqual(thumbprints[0], thumbprints[1]);
});

test("10: nobody else chooses the key of a sign-in", async () => {
  const { browser } = serve();
  for (const name of ["dpop_jkt", "DPOP_JKT", "dpop.jkt"]) {
    await assert.rejects(() => browser.start({ [name]: "x" }), BadRequest);
  }
  const { issuer, browser: plain } = serve({ provider: { authorization: { params: { dpop_jkt: "x" } } } });
  assert.notEqual(new URL(await plain.start()).searchParams.get("dpop_jkt"), "x");
  assert.ok(issuer);
});

test("the account has the key sealed, and what the token endpoint says of a key counts for nothing", async () => {
  const { issuer, browser } = serve({ grant: { dpop_key: "of the server", refresh_dpop_key: "of the server" } });
  const { account } = await browser.signIn(issuer);
  assert.match(account.dpop_key, /^sealed:/);
  assert.equal(account.refresh_dpop_key, undefined);
  const plain = createIssuer();
  plain.grant({ dpop_key: "of the server", refresh_dpop_key: "of the server" });
  const unbound = (await visit(plain).signIn(plain)).account;
  assert.deepEqual([unbound.dpop_key, unbound.refresh_dpop_key], [undefined, undefined]);
});

test("a flow that began without DPoP does not end with it", async () => {
  const issuer = createIssuer();
  const before = visit(issuer);
  const { params } = await issuer.consent(await before.start());
  const after = visit(issuer, issuer.provider({ client: { dpop_bound_access_tokens: true } }));
  for (const [name, value] of before.cookies) after.cookies.set(name, value);
  await assert.rejects(() => after.finish(params), InvalidCheck);
  assert.equal(issuer.count("token"), 0);
});

test("a token request of the developer's own cannot be bound, and the error says so", async () => {
  const { browser } = serve({ provider: { token: { url: "https://idp.test/token", request: () => ({}) } } });
  await assert.rejects(() => browser.start(), (error: Error) => {
    return error instanceof InvalidConfig && error.message.includes("`client.dpop_bound_access_tokens`");
  });
});

test("the private key is in no URL, header, body or error", async () => {
  const { issuer, browser } = serve({ token: [() => json({ error: "invalid_client" }, 401)] });
  const { params } = await issuer.consent(await browser.start());
  const [name = ""] = browser.flows();
  const flow = await browser.config.sealer.open(
    decodeURIComponent(browser.cookies.get(name) ?? ""),
    "__Secure-authjs.state",
  );
  const { d } = flow?.dpopKey as { d: string };
  assert.ok(d.length > 40);
  const error = await browser.finish(params).catch((error: unknown) => error);
  const sent = issuer.requests.map(({ url, headers, form }) => `${url} ${[...headers]} ${form}`);
  const parts = sent.join(" ").split(/[\s.,=&]+/).map((part) => `${part} ${Buffer.from(part, "base64url")}`).join(" ");
  for (const text of [allOf(error), sent.join(), parts, params.toString()]) assert.equal(text.includes(d), false);
});

test("with a key, the cookie of a flow stays so small that those of five tabs fit into a header", async () => {
  for (const alg of ["ES256", "ES512"]) {
    const { browser } = serve({ metadata: { dpop_signing_alg_values_supported: [alg] } });
    await browser.start();
    const [name = ""] = browser.flows();
    const size = name.length + (browser.cookies.get(name)?.length ?? 0);
    assert.ok(size < 1600, `${alg}: ${size}`);
  }
});
