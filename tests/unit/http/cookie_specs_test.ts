import assert from "node:assert/strict";
import { test } from "node:test";
import { cookieSpecs } from "../../../src/http/cookie_specs.ts";
import { serializeCookie } from "../../../src/http/cookie_text.ts";

const LAX = "; HttpOnly; SameSite=Lax";
const SECURE_LAX = "; HttpOnly; Secure; SameSite=Lax";

const GOLDEN: Readonly<Record<"plain" | "secure", Readonly<Record<string, string>>>> = {
  plain: {
    sessionToken: `authjs.session-token=x; Path=/${LAX}`,
    callbackUrl: `authjs.callback-url=x; Path=/${LAX}`,
    csrfToken: `authjs.csrf-token=x; Path=/${LAX}`,
    pkceCodeVerifier: `authjs.pkce.code_verifier=x; Max-Age=900; Path=/${LAX}`,
    state: `authjs.state=x; Max-Age=900; Path=/${LAX}`,
    nonce: `authjs.nonce=x; Path=/${LAX}`,
    signedIn: `authjs.signed-in=x; Path=/${LAX}`,
    webauthnChallenge: `authjs.challenge=x; Max-Age=900; Path=/${LAX}`,
    email: `authjs.email=x; Path=/${LAX}`,
    pending: `authjs.pending=x; Max-Age=600; Path=/${LAX}`,
    failure: `authjs.failure=x; Max-Age=300; Path=/${LAX}`,
    device: `authjs.device=x; Max-Age=15552000; Path=/${LAX}`,
    trustedDevice: `authjs.trusted-device=x; Path=/${LAX}`,
    lastProvider: `authjs.last-provider=x; Max-Age=31536000; Path=/${LAX}`,
    language: `authjs.language=x; Path=/${LAX}`,
  },
  secure: {
    sessionToken: `__Secure-authjs.session-token=x; Path=/${SECURE_LAX}`,
    callbackUrl: `__Secure-authjs.callback-url=x; Path=/${SECURE_LAX}`,
    csrfToken: `__Host-authjs.csrf-token=x; Path=/${SECURE_LAX}`,
    pkceCodeVerifier: `__Secure-authjs.pkce.code_verifier=x; Max-Age=900; Path=/${SECURE_LAX}`,
    state: `__Secure-authjs.state=x; Max-Age=900; Path=/${SECURE_LAX}`,
    nonce: `__Secure-authjs.nonce=x; Path=/${SECURE_LAX}`,
    signedIn: `__Secure-authjs.signed-in=x; Path=/${SECURE_LAX}`,
    webauthnChallenge: `__Secure-authjs.challenge=x; Max-Age=900; Path=/${SECURE_LAX}`,
    email: `__Secure-authjs.email=x; Path=/${SECURE_LAX}`,
    pending: `__Secure-authjs.pending=x; Max-Age=600; Path=/${SECURE_LAX}`,
    failure: `__Secure-authjs.failure=x; Max-Age=300; Path=/${SECURE_LAX}`,
    device: `__Secure-authjs.device=x; Max-Age=15552000; Path=/${SECURE_LAX}`,
    trustedDevice: `__Secure-authjs.trusted-device=x; Path=/${SECURE_LAX}`,
    lastProvider: `__Secure-authjs.last-provider=x; Max-Age=31536000; Path=/${SECURE_LAX}`,
    language: `__Secure-authjs.language=x; Path=/${SECURE_LAX}`,
  },
};

for (const [kind, golden] of Object.entries(GOLDEN)) {
  test(`cookieSpecs() makes the ${kind} cookies that browsers of live services hold`, () => {
    const specs = Object.entries(cookieSpecs(kind === "secure", {}));
    const written = specs.map(([role, spec]) => [role, serializeCookie({ ...spec, value: "x" })]);
    assert.deepEqual(Object.fromEntries(written), golden);
  });
}

test("cookieSpecs() lays overrides over single attributes and leaves the other cookies alone", () => {
  const specs = cookieSpecs(true, {
    sessionToken: { name: "sid" },
    state: { options: { sameSite: "none", maxAge: 60 } },
    callbackUrl: { options: { domain: "app.test" } },
  });
  assert.equal(specs.sessionToken.name, "sid");
  assert.deepEqual(specs.sessionToken.options, { httpOnly: true, sameSite: "lax", path: "/", secure: true });
  assert.equal(specs.state.name, "__Secure-authjs.state");
  assert.deepEqual(specs.state.options, { httpOnly: true, sameSite: "none", path: "/", secure: true, maxAge: 60 });
  assert.equal(specs.callbackUrl.options.domain, "app.test");
  assert.deepEqual(specs.csrfToken, cookieSpecs(true, {}).csrfToken);
});

test("cookieSpecs() takes a role that is given as undefined for untouched", () => {
  assert.deepEqual(
    cookieSpecs(false, { sessionToken: undefined, state: { name: undefined, options: undefined } }),
    cookieSpecs(false, {}),
  );
});

test("cookieSpecs() freezes what it makes and keeps no hold on the overrides", () => {
  const options = { path: "/a" };
  const specs = cookieSpecs(true, { sessionToken: { options } });
  options.path = "/b";
  assert.equal(specs.sessionToken.options.path, "/a");
  assert.ok(
    [specs, ...Object.values(specs), ...Object.values(specs).map((spec) => spec.options)].every(Object.isFrozen),
  );
});
