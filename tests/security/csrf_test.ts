import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { type AuthConfig, createAuth, skipCSRFCheck } from "@x/auth";
import type { Site } from "../_support/browser.ts";
import { comesFromHere, type FormRow, hasToken } from "../_support/oracle_csrf.ts";
import { ADA, password, SECRET, testConfig } from "../_support/service.ts";
import { oauthIdp } from "./_flows.ts";
import { ask, countRows, FORM, formToken, givesSession, JSON_TYPE, keep, locationOf, ORIGIN } from "./_service.ts";

const rows = countRows("CSRF table");

const COOKIE = "__Host-authjs.csrf-token";

/** What a visitor sees when a form was accepted, by its address. */
const ACCEPTED: Readonly<Record<string, (response: Response) => boolean>> = {
  "/auth/signin": (response) => locationOf(response) === `${ORIGIN}/auth/signin`,
  "/auth/signin/idp": (response) => locationOf(response).startsWith("https://idp.test/authorize?"),
  "/auth/signin/credentials": (response) => locationOf(response) === `${ORIGIN}/auth/signin`,
  "/auth/signout": (response) => locationOf(response) === `${ORIGIN}/`,
  "/auth/session": ({ status }) => status === 200,
  "/auth/callback/credentials": (response) => locationOf(response) === `${ORIGIN}/` && givesSession(response),
};

/** What a refused form is answered with. */
function isRefusal(path: string, response: Response): boolean {
  if (path === "/auth/session") return response.status === 400;
  return response.status === 302 && locationOf(response) === `${ORIGIN}/auth/signin?error=MissingCSRF`;
}

/** A service with somebody signed in, who is about to send a form. */
function open(config: AuthConfig = {}) {
  let asked = 0;
  const providers = [
    password({
      authorize: ({ username }) => {
        asked++;
        return username === ADA.username ? { id: "1", name: "Ada" } : null;
      },
    }),
    oauthIdp().provider,
  ];
  const { handler } = createAuth(testConfig({ providers, ...config }));
  return { handler, asked: () => asked };
}

async function signedIn(handler: Site): Promise<string> {
  const { csrfToken, cookies } = await formToken(handler);
  const response = await ask(handler, "/auth/callback/credentials", { fields: { ...ADA, csrfToken }, cookies });
  return keep(response)["__Secure-authjs.session-token"] ?? "";
}

const sign = (token: string, secret: string) => `${token}|${createHash("sha256").update(token + secret).digest("hex")}`;

const [MINE, OTHERS] = ["a1".repeat(32), "b2".repeat(32)];

const TOKENS = [MINE, OTHERS, MINE.toUpperCase(), "", undefined];
const COOKIES = [
  sign(MINE, SECRET),
  sign(OTHERS, SECRET),
  sign(MINE, "another secret of more than thirty-two characters"),
  MINE,
  undefined,
];
const SITES = [undefined, "same-origin", "none", "same-site", "cross-site", "Same-Origin", "same-origin, none", ""];
const ORIGINS = [
  undefined,
  ORIGIN,
  "https://evil.test",
  "null",
  "http://app.test",
  `${ORIGIN}.evil.test`,
  `${ORIGIN}:443`,
];

async function post(handler: Site, path: string, session: string, { token, cookie, site, origin }: FormRow) {
  const cookies = {
    "__Secure-authjs.session-token": session,
    ...(cookie !== undefined && { [COOKIE]: encodeURIComponent(cookie) }),
  };
  const headers = { "sec-fetch-site": site, origin };
  return await ask(handler, path, {
    headers,
    cookies,
    fields: { ...ADA, ...(token !== undefined && { csrfToken: token }) },
  });
}

for (const [path, isAccepted] of Object.entries(ACCEPTED)) {
  test(`a form to ${path} is accepted only with its token, from this site`, async () => {
    const { handler, asked } = open();
    const session = await signedIn(handler);
    const wrong: unknown[] = [];
    for (const token of TOKENS) {
      for (const cookie of COOKIES) {
        for (const site of SITES) {
          for (const origin of ORIGINS) {
            const row = { token, cookie, site, origin };
            const before = asked();
            const response = await post(handler, path, session, row);
            const expected = comesFromHere(row, ORIGIN) && hasToken(row, SECRET);
            const fits = expected ? isAccepted(response) : isRefusal(path, response);
            const touched = asked() > before ||
              response.headers.getSetCookie().some((set) => set.includes("session-token"));
            if (!fits || (!expected && touched)) wrong.push({ ...row, expected, status: response.status });
            rows();
          }
        }
      }
    }
    assert.deepEqual(wrong.slice(0, 5), []);
  });

  test(`with skipCSRFCheck a form to ${path} still has to come from this site`, async () => {
    const { handler } = open({ skipCSRFCheck });
    const first = await ask(handler, "/auth/callback/credentials", { fields: ADA });
    const session = keep(first)["__Secure-authjs.session-token"] ?? "";
    const wrong: unknown[] = [];
    for (const token of [MINE, undefined]) {
      for (const site of SITES) {
        for (const origin of ORIGINS) {
          const row = { token, cookie: undefined, site, origin };
          const response = await post(handler, path, session, row);
          const expected = comesFromHere(row, ORIGIN);
          if (!(expected ? isAccepted(response) : isRefusal(path, response))) wrong.push({ ...row, expected });
          rows();
        }
      }
    }
    assert.deepEqual(wrong, []);
  });
}

test("with skipCSRFCheck there is no token to be had", async () => {
  const { handler } = open({ skipCSRFCheck });
  for (const method of ["GET", "HEAD"]) {
    const response = await ask(handler, "/auth/csrf", { method, cookies: { [COOKIE]: sign(MINE, SECRET) } });
    assert.equal(response.status, 404);
    assert.deepEqual(Object.keys(keep(response, { [COOKIE]: "" })), []);
    rows();
  }
});

test("every address that takes a form of ours is in this table", async () => {
  const { handler } = open();
  const ids = ["", "/idp", "/credentials"];
  const actions = ["signin", "signout", "session", "callback", "csrf", "providers", "error", "verify-request"];
  const found: string[] = [];
  for (const path of actions.flatMap((action) => ids.map((id) => `/auth/${action}${id}`))) {
    const { status } = await ask(handler, path, { method: "POST" });
    if (status !== 404 && status !== 405) found.push(path);
    rows();
  }
  assert.deepEqual(found.toSorted(), Object.keys(ACCEPTED).toSorted());
});

test("an answer that the provider's page posts comes from another site by design, and only passes on", async () => {
  const { provider } = oauthIdp({
    authorization: { url: "https://idp.test/authorize", params: { response_mode: "form_post" } },
  });
  const { handler } = createAuth(testConfig({ providers: [provider] }));
  for (const site of SITES) {
    for (const origin of ORIGINS) {
      const headers = { "sec-fetch-site": site, origin };
      const response = await ask(handler, "/auth/callback/idp", { headers, fields: { code: "c", state: "s" } });
      assert.equal(response.status, 303);
      assert.equal(locationOf(response), `${ORIGIN}/auth/callback/idp?code=c&state=s`);
      assert.deepEqual(response.headers.getSetCookie(), []);
      rows();
    }
  }
});

test("V38: a first sign-in, with an empty jar, is refused whatever the other site writes", async () => {
  const { handler, asked } = open();
  for (const site of SITES) {
    for (const origin of ORIGINS) {
      for (const token of [undefined, MINE]) {
        for (const referer of [undefined, `${ORIGIN}/auth/signin`, "https://evil.test/"]) {
          const headers = { "sec-fetch-site": site, origin, referer };
          const fields = { ...ADA, ...(token && { csrfToken: token }) };
          const response = await ask(handler, "/auth/callback/credentials", { headers, fields });
          assert.ok(isRefusal("/auth/callback/credentials", response));
          rows();
        }
      }
    }
  }
  assert.equal(asked(), 0);
});

/** Types of bodies, and what one of them is read as. */
const TYPES: readonly (readonly [type: string | undefined, reads: "form" | "json" | null])[] = [
  [FORM, "form"],
  [JSON_TYPE, "json"],
  ["Application/JSON", "json"],
  ["APPLICATION/X-WWW-FORM-URLENCODED", "form"],
  ["application/json;charset=x", "json"],
  ["application/json ; charset=utf-8", "json"],
  ["application/x-www-form-urlencoded; boundary=x", "form"],
  [" application/json", "json"],
  [undefined, null],
  ["", null],
  [";", null],
  ["text/plain", null],
  ["Text/Plain;x", null],
  ["text/plain; application/json", null],
  ["text/plain, application/json", null],
  ["application/json, text/plain", null],
  ["application/json,application/json", null],
  ["multipart/form-data", null],
  ["multipart/form-data; boundary=x", null],
  ["application/json-patch+json", null],
  ["application/vnd.api+json", null],
  ["application/jsonx", null],
  ["xapplication/json", null],
  ["application/json\u00a0", null],
  ["application/x-www-form-urlencoded+json", null],
  ["application/*", null],
  ["*/*", null],
];

test("V71: a body is read if its type is exactly one of two, and no type goes around the token", async () => {
  const { handler, asked } = open();
  const { csrfToken, cookies } = await formToken(handler);
  for (const [type, reads] of TYPES) {
    for (const written of ["form", "json"] as const) {
      for (const token of [csrfToken, "wrong", undefined]) {
        const values = { ...ADA, ...(token && { csrfToken: token }) };
        const text = written === "json" ? JSON.stringify(values) : String(new URLSearchParams(values));
        const before = asked();
        const headers = { "content-type": type };
        // As bytes, or a type would be added.
        const fields = new TextEncoder().encode(text);
        const response = await ask(handler, "/auth/callback/credentials", { headers, cookies, fields });
        const accepted = reads === written && token === csrfToken;
        const what = `${type} ${written} ${token}`;
        assert.equal(givesSession(response), accepted, what);
        assert.equal(asked() > before, accepted, what);
        if (reads === null) assert.equal(response.status, 415, what);
        else if (reads === "json" && written === "form") assert.equal(response.status, 400, what);
        else if (!accepted) assert.ok(isRefusal("/auth/callback/credentials", response), what);
        rows();
      }
    }
  }
});
