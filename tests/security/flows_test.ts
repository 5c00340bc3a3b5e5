import assert from "node:assert/strict";
import { test } from "node:test";
import { type AuthConfig, type Check, createAuth, customFetch, type OidcProvider } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import type { Site } from "../_support/browser.ts";
import type { Issuer } from "../_support/issuer.ts";
import { type Part, verdictOn } from "../_support/oracle_flow.ts";
import { ADA, password, testConfig } from "../_support/service.ts";
import { start } from "./_flows.ts";
import {
  answerOf,
  ask,
  type Cookies,
  countRows,
  fetchOf,
  formToken,
  givesSession,
  keep,
  liveIssuer,
  locationOf,
  ORIGIN,
  providerOf,
} from "./_service.ts";

const rows = countRows("flow table");

const SUBSETS: readonly (readonly Check[])[] = [
  ["none"],
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((bits) => (["pkce", "state", "nonce"] as const).filter((_, at) => bits & (1 << at))),
];

function serviceOf(issuer: Issuer, overrides: Partial<OidcProvider>, config: AuthConfig = {}): Site {
  return createAuth(testConfig({ providers: [providerOf(issuer, overrides)], ...config })).handler;
}

const flowCookies = (cookies: Cookies) => Object.keys(cookies).filter((name) => name.includes("authjs.state."));

/** An answer was refused: a page of ours says so, nobody is signed in. */
function assertRefused(response: Response, what: string): void {
  assert.ok(!givesSession(response), what);
  const refused = response.status >= 400 || locationOf(response).startsWith(`${ORIGIN}/auth/`);
  assert.ok(refused && response.status < 500, `${what}: ${response.status} ${locationOf(response)}`);
}

const PARTS: readonly Part[] = ["right", "other", "absent"];

test("V09: a callback signs in only with every part that the checks need", async () => {
  const issuer = liveIssuer();
  const sites = SUBSETS.map((checks) => serviceOf(issuer, { checks }));
  const wrong: unknown[] = [];
  for (const [from, started] of SUBSETS.entries()) {
    let flow = await start(sites[from] as Site);
    const other = await start(sites[from] as Site);
    for (const [to, checks] of SUBSETS.entries()) {
      for (const cookie of [true, false]) {
        for (const state of PARTS) {
          for (const nonce of PARTS) {
            const asked = new URL(flow.location).searchParams;
            const claim = { right: asked.get("nonce") ?? "", other: "another", absent: undefined }[nonce];
            if (nonce === "right" && !started.includes("nonce")) continue; // there is no right one
            issuer.claim({ nonce: claim });
            const query = new URLSearchParams((await answerOf(issuer, flow.location)).split("?")[1]);
            if (state === "absent") query.delete("state");
            if (state === "other") query.set("state", new URL(other.location).searchParams.get("state") ?? "");
            const calls = issuer.count("token");
            const cookies = cookie ? flow.cookies : {};
            const response = await ask(sites[to] as Site, `/auth/callback/idp?${query}`, { cookies });
            const row = { checks: new Set(checks), started: new Set(started), cookie, state, nonce };
            const seen = { asks: issuer.count("token") > calls, signsIn: givesSession(response) };
            if (!seen.signsIn) assertRefused(response, JSON.stringify([checks, started, cookie, state, nonce]));
            const expected = verdictOn(row);
            if (JSON.stringify(seen) !== JSON.stringify(expected)) {
              wrong.push({ checks, started, cookie, state, nonce, seen, expected });
            }
            // A flow is worth one request.
            if (seen.asks) flow = await start(sites[from] as Site);
            rows();
          }
        }
      }
    }
  }
  assert.deepEqual(wrong.slice(0, 5), []);
});

test("V09: without a code, or with a code alone in a clean browser, nobody is asked for tokens", async () => {
  for (const checks of SUBSETS) {
    const issuer = liveIssuer();
    const site = serviceOf(issuer, { checks });
    const { cookies, location } = await start(site);
    const query = new URLSearchParams((await answerOf(issuer, location)).split("?")[1]);
    const state = query.get("state") ?? "";
    const codeOnly = new URLSearchParams({ code: query.get("code") ?? "" });
    const asked: readonly (readonly [query: string, cookies: Cookies])[] = [
      ["", cookies],
      [`state=${state}`, cookies],
      [`code=&state=${state}`, {}],
      [String(codeOnly), {}],
      [String(query), {}],
      [`error=access_denied`, {}],
      [`error=access_denied&state=x`, cookies],
      [`error=server_error&error_description=%3Cb%3E`, {}],
    ];
    for (const [text, jar] of asked) {
      assertRefused(await ask(site, `/auth/callback/idp?${text}`, { cookies: jar }), `${checks}: ${text}`);
      rows();
    }
    assert.equal(issuer.count("token"), 0, `${checks}`);
  }
});

test("V14: an answer to one provider's flow is refused at every other provider's address", async () => {
  const one = liveIssuer("https://one.test");
  const two = liveIssuer("https://two.test");
  const issuers = [one, two];
  for (const checks of SUBSETS) {
    const providers = [providerOf(one, { id: "one", checks }), providerOf(two, { id: "two", checks }), password()];
    const { handler } = createAuth(testConfig({ providers }));
    for (const issuer of issuers) {
      const from = issuer === one ? "one" : "two";
      for (const to of ["one", "two", "credentials"]) {
        if (to === from) continue;
        const { cookies, location } = await start(handler, from);
        const query = (await answerOf(issuer, location)).split("?")[1];
        const before = issuers.map(({ requests }) => requests.length);
        for (const text of [query, query?.replace(/&?state=[^&]*/, "")]) {
          for (const method of ["GET", "POST"]) {
            const response = await ask(handler, `/auth/callback/${to}?${text}`, { cookies, method });
            assertRefused(response, `${from} to ${to}`);
            rows();
          }
        }
        assert.deepEqual(issuers.map(({ requests }) => requests.length), before, `${from} to ${to}`);
      }
    }
    // Credentials start no flow: nothing of a sign-in with a password opens an address of a provider.
    const { csrfToken, cookies } = await formToken(handler);
    const signedIn = keep(await ask(handler, "/auth/callback/credentials", { cookies, fields: { ...ADA, csrfToken } }));
    for (const to of ["one", "two"]) {
      const response = await ask(handler, `/auth/callback/${to}?code=x&state=y`, {
        cookies: { ...cookies, ...signedIn },
      });
      assertRefused(response, `credentials to ${to}`);
      rows();
    }
  }
});

test("parts of one flow are refused in another flow of the same browser", async () => {
  for (const checks of SUBSETS.filter((checks) => checks.includes("pkce") || checks.includes("nonce"))) {
    const issuer = liveIssuer();
    const site = serviceOf(issuer, { checks });
    const first = await start(site);
    const second = await start(site, "idp", first.cookies);
    assert.equal(flowCookies(second.cookies).length, 2);
    const [one, two] = await Promise.all(
      [first, second].map(async ({ location }) =>
        new URLSearchParams((await answerOf(issuer, location)).split("?")[1])
      ),
    );
    assert.ok(one && two);
    const crossed = new URLSearchParams({ code: two.get("code") ?? "", state: one.get("state") ?? "" });
    assertRefused(await ask(site, `/auth/callback/idp?${crossed}`, { cookies: second.cookies }), `${checks}`);
    rows();
  }
});

test("V36: another state than that of the flow is refused, however near it is", async () => {
  for (const checks of SUBSETS) {
    const issuer = liveIssuer();
    const site = serviceOf(issuer, { checks });
    const first = await start(site);
    const { cookies, location } = await start(site, "idp", first.cookies);
    const state = new URL(location).searchParams.get("state") ?? "";
    const flipped = state.replace(
      /[a-z]/i,
      (char) => char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase(),
    );
    const states = {
      "the other flow's": new URL(first.location).searchParams.get("state") ?? "",
      "a random one": "A".repeat(43),
      "an empty one": "",
      "its beginning": state.slice(0, -1),
      "its end": state.slice(-10),
      "another with its end": "A".repeat(33) + state.slice(-10),
      "in another case": flipped,
      "with more behind": `${state}A`,
      "with more before": `A${state}`,
      "with a space": `${state} `,
      "a name of every object": "__proto__",
    };
    for (const [what, given] of Object.entries(states)) {
      const query = new URLSearchParams((await answerOf(issuer, location)).split("?")[1]);
      query.set("state", given);
      // The other flow has a state of its own, and a code of this one does not fit it.
      if (what === "the other flow's" && !checks.includes("pkce") && !checks.includes("nonce")) continue;
      assertRefused(await ask(site, `/auth/callback/idp?${query}`, { cookies }), `${checks}: ${what}`);
      rows();
    }
    if (checks.length === 3) assert.equal(issuer.count("token"), 1, "only the other flow's state got that far");
  }
});

test("V28: an answer signs in once, however often it arrives", async () => {
  const issuer = liveIssuer();
  const site = serviceOf(issuer, { checks: ["pkce", "state", "nonce"] });
  const { cookies, location } = await start(site);
  const path = await answerOf(issuer, location);
  const first = await ask(site, path, { cookies });
  assert.ok(givesSession(first));
  const after = keep(first, cookies);
  assert.deepEqual(flowCookies(after), []);
  assertRefused(await ask(site, path, { cookies: after }), "with the cookies of a browser");
  assert.equal(issuer.count("token"), 1);
  // Without storage this process remembers it. Elsewhere the provider refuses a code that was used.
  assertRefused(await ask(site, path, { cookies }), "with a copy of the cookies");
  assert.equal(issuer.count("token"), 1);
  rows(3);
});

for (const adapter of [undefined, memoryAdapter()]) {
  test(`V28: a stranger's flow is worth one token request and one mark, ${adapter ? "with" : "without"} storage`, async () => {
    const issuer = liveIssuer();
    let marks = 0;
    const counting = adapter &&
      { ...adapter, once: (key: string, expires: Date) => (marks++, adapter.once(key, expires)) };
    const site = serviceOf(issuer, { checks: ["pkce", "state"] }, counting && { adapter: counting });
    const { cookies, location } = await start(site);
    const state = new URL(location).searchParams.get("state");
    for (
      const query of ["", "code=", "error=access_denied", "error=access_denied&code=c", "iss=https://evil.test&code=c"]
    ) {
      assertRefused(await ask(site, `/auth/callback/idp?state=${state}&${query}`, { cookies }), query);
    }
    assert.deepEqual([issuer.count("token"), marks], [0, 0], "an answer of nobody costs nothing");
    for (let n = 0; n < 20; n++) {
      assertRefused(await ask(site, `/auth/callback/idp?state=${state}&code=made-up-${n}`, { cookies }), `${n}`);
    }
    assert.equal(issuer.count("token"), 1);
    rows(25);
  });
}

test("V28: of 64 identical answers at once one signs in", async () => {
  const issuer = liveIssuer();
  const site = serviceOf(issuer, { checks: ["pkce", "state", "nonce"] });
  const { cookies, location } = await start(site);
  const path = await answerOf(issuer, location);
  const responses = await Promise.all(Array.from({ length: 64 }, () => ask(site, path, { cookies })));
  assert.equal(responses.filter(givesSession).length, 1);
  for (const response of responses) if (!givesSession(response)) assertRefused(response, "a repeated answer");
  rows(64);
});

test("V55: where a server ignores PKCE, an attacker's answer without state signs no victim in", async () => {
  for (const checks of SUBSETS.filter((checks) => !checks.includes("none") && !checks.includes("nonce"))) {
    const issuer = liveIssuer();
    // A code for anybody who asks: what the verifier would have held back.
    issuer.override("token", () => Response.json({ access_token: "attacker's", token_type: "bearer" }));
    const provider = issuer.oauthProvider({ [customFetch]: fetchOf(issuer), checks });
    const { handler } = createAuth(testConfig({ providers: [provider] }));
    const path = await answerOf(issuer, (await start(handler)).location);
    const { cookies } = await start(handler);
    assertRefused(await ask(handler, path.replace(/&?state=[^&]*/, ""), { cookies }), `${checks}`);
    assert.equal(issuer.count("token"), 0, `${checks}`);
    rows();
  }
});

test("V55: the answer to an attacker's flow signs a victim in nowhere", async () => {
  const issuer = liveIssuer();
  for (const checks of SUBSETS.filter((checks) => !checks.includes("none"))) {
    const providers = [providerOf(issuer, { checks }), password()];
    const { handler } = createAuth(testConfig({ providers }));
    const attacker = await start(handler);
    const token = await formToken(handler);
    const fields = { ...ADA, csrfToken: token.csrfToken };
    const signedIn = keep(await ask(handler, "/auth/callback/credentials", { cookies: token.cookies, fields }));
    const victims: Readonly<Record<string, Cookies>> = {
      "who has been here for the first time": {},
      "who is signing in as well": (await start(handler)).cookies,
      "who is signed in": signedIn,
    };
    for (const [who, cookies] of Object.entries(victims)) {
      for (const stripped of [false, true]) {
        const path = await answerOf(issuer, attacker.location);
        const url = stripped ? path.replace(/&?state=[^&]*/, "") : path;
        const response = await ask(handler, url, { cookies });
        assertRefused(response, `${checks}: a victim ${who}`);
        const kept = keep(response, cookies);
        const session = await (await ask(handler, "/auth/session", { cookies: kept })).json();
        assert.equal(session?.user?.name ?? null, who === "who is signed in" ? "Ada Lovelace" : null, who);
        rows();
      }
    }
  }
});
