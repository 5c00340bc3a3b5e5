/**
 * Logout tokens of a provider that encrypts id_tokens: they are encrypted with the same keys (OpenID Connect Back-Channel
 * Logout 1.0, section 2.4). Each lie leaves the session as it is.
 *
 * @module
 * @see {@link https://openid.net/specs/openid-connect-backchannel-1_0.html#LogoutToken | Back-Channel Logout, section 2.4}
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CompactEncrypt } from "jose";
import { encode, json, makeKey, signJws } from "../_support/issuer.ts";
import { World, type WorldOptions } from "./_logout.ts";
import type { Cookies } from "./_service.ts";

const EC = { name: "ECDH", namedCurve: "P-256" };
const PAIR = await crypto.subtle.generateKey(EC, true, ["deriveBits"]);
const OTHER = await crypto.subtle.generateKey(EC, true, ["deriveBits"]);

const ALG = { alg: "ECDH-ES", enc: "A256GCM" };

const REGISTERED: WorldOptions = {
  provider: {
    client: {
      id_token_encrypted_response_alg: ALG.alg,
      id_token_encrypted_response_enc: ALG.enc,
      decryptionKeys: [PAIR.privateKey],
    },
  },
};

async function seal(text: string, header: Partial<typeof ALG> = {}, key: CryptoKey = PAIR.publicKey): Promise<string> {
  return await new CompactEncrypt(new TextEncoder().encode(text)).setProtectedHeader({ ...ALG, ...header })
    .encrypt(key);
}

/** A world whose provider encrypts id_tokens, and somebody who is signed in there. */
async function signedIn(options: WorldOptions = REGISTERED): Promise<{ world: World; ada: Cookies }> {
  const world = new World(options);
  if (options === REGISTERED) {
    world.issuer.override("token", async (_, honest) => {
      const body = await (await honest()).json();
      return json({ ...body, id_token: await seal(body.id_token) });
    });
  }
  return { world, ada: await world.signIn() };
}

test("a logout token that is encrypted as id_tokens are ends the session", async () => {
  const { world, ada } = await signedIn();
  assert.equal(await world.isSignedIn(ada), true);
  assert.equal((await world.post(await seal(world.token()))).status, 200);
  assert.equal(await world.isSignedIn(ada), false);
});

interface Lie {
  readonly sends: (world: World) => string | Promise<string>;
  readonly says: RegExp;
}

/** What must be, and how it is violated. */
const LIES: Readonly<Record<string, Lie>> = {
  "a logout token that is not encrypted is refused where id_tokens are": {
    sends: (world) => world.token(),
    says: /it is not encrypted; remove `client\.id_token_encrypted_response_alg`/,
  },
  "a logout token for another key is refused": {
    sends: (world) => seal(world.token(), {}, OTHER.publicKey),
    says: /no key of `client\.decryptionKeys` opens it/,
  },
  "a logout token that is encrypted with another algorithm than is registered is refused": {
    sends: (world) => seal(world.token(), { enc: "A128GCM" }),
    says: /it must be encrypted with ECDH-ES and A256GCM/,
  },
  "a logout token that is encrypted and signed with a key that is not the provider's is refused": {
    sends: (world) => {
      const header = { alg: "RS256", kid: world.issuer.keys[0]?.kid, typ: "logout+jwt" };
      return seal(signJws(world.claims(), header, makeKey("RS256")));
    },
    says: /its signature is wrong/,
  },
  "a logout token that is encrypted and not signed is refused: everybody has the public key": {
    sends: (world) => seal(JSON.stringify(world.claims())),
    says: /the logout_token is not a signed JWT/,
  },
  "a logout token that is encrypted and whose alg is none is refused": {
    sends: (world) => seal(`${encode({ alg: "none" })}.${encode(world.claims())}.`),
    says: /its alg is not the one of id_tokens/,
  },
  "a logout token that is encrypted twice is refused": {
    sends: async (world) => await seal(await seal(world.token())),
    says: /it is encrypted twice/,
  },
  "a logout token that is too long is refused before it is decrypted": {
    sends: (world) => seal(world.token({ sid: undefined, sub: "ada-1", padding: "x".repeat(20_000) })),
    says: /the logout_token is not a signed JWT/,
  },
  "an id_token that is encrypted is no logout token": {
    sends: (world) => seal(world.token({ events: undefined, nonce: "n" })),
    says: /its events are not exactly a logout/,
  },
};

for (const [must, { sends, says }] of Object.entries(LIES)) {
  test(`Back-Channel Logout 2.4: ${must}`, async () => {
    const { world, ada } = await signedIn();
    const response = await world.post(await sends(world));
    assert.equal(response.status, 400);
    assert.match((await response.json()).error_description, says);
    assert.equal(await world.isSignedIn(ada), true);
    assert.match(world.log.errors.map(({ message }) => message).join(), says);
  });
}

test("a logout token that is encrypted is refused where id_tokens are not", async () => {
  const { world, ada } = await signedIn({});
  const response = await world.post(await seal(world.token()));
  assert.equal(response.status, 400);
  assert.match((await response.json()).error_description, /is not a signed JWT/);
  assert.equal(await world.isSignedIn(ada), true);
});

test("a logout token can come again once the keys of the service are configured", async () => {
  const client = { id_token_encrypted_response_alg: "ECDH-ES", decryptionKeys: [] };
  const world = new World({ provider: { client } });
  const response = await world.post(await seal(world.token()), { mayFail: true });
  assert.equal(response.status, 503);
  assert.doesNotMatch(await response.text(), /decryptionKeys/);
  assert.match(
    world.log.errors.map(({ message }) => message).join(),
    /`client\.decryptionKeys` must hold a private key/,
  );
});
