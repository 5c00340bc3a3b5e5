import assert from "node:assert/strict";
import { test } from "node:test";
import { type AdapterSession, customFetch, type OidcProvider } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { decode } from "@x/auth/jwt";
import { auth0 } from "@x/auth/providers/auth0";
import { secondFactor } from "@x/auth/second-factor";
import { signOutFor } from "../../src/service/actions.ts";
import { CLIENT, createIssuer, json } from "../_support/issuer.ts";
import { START, testRuntime } from "../_support/runtime.ts";
import { enrol, resolvedFor } from "../_support/second_factor.ts";
import { ADA, password, SECRET } from "../_support/service.ts";
import { END_SESSION, pageRequest, SID, World, type WorldOptions } from "./_logout.ts";
import {
  answerOf,
  ask,
  type Cookies,
  fetchOf,
  FORM,
  formToken,
  givesSession,
  keep,
  locationOf,
  ORIGIN,
} from "./_service.ts";

const COOKIE = "__Secure-authjs.session-token";
const CALLBACK = `${ORIGIN}/bye`;

/** How sessions are kept. */
const WAYS: Readonly<Record<string, WorldOptions>> = {
  "a stored session": {},
  "a sealed session with a row": { session: { strategy: "jwt" } },
  "a sealed session that is not looked up": { session: { strategy: "jwt", revalidate: false } },
  "a sealed session without storage": { stored: false },
};

function isSealed({ stored, session }: WorldOptions): boolean {
  return stored === false || session?.strategy === "jwt";
}

function hasRow({ stored, session }: WorldOptions): boolean {
  return stored !== false && session?.revalidate !== false;
}

/** The parameters that a sign-out sends to the provider; `null` if it does not go there. */
function sent(response: Response, endpoint = END_SESSION): Record<string, string> | null {
  const url = new URL(locationOf(response));
  const known = new URL(endpoint);
  return url.origin + url.pathname === known.origin + known.pathname ? Object.fromEntries(url.searchParams) : null;
}

/** The id_tokens that the provider issues, as it issues them. */
function issuedBy(world: World): string[] {
  const issued: string[] = [];
  world.issuer.rewrite((idToken) => {
    issued.push(idToken);
    return idToken;
  });
  return issued;
}

for (const [way, options] of Object.entries(WAYS)) {
  test(`the sign-out of ${way} goes to the provider with its id_token, and comes back to the page that was asked for`, async () => {
    const world = new World(options);
    const issued = issuedBy(world);
    const cookies = await world.signIn();
    const response = await world.signOut(cookies);
    const params = sent(response);
    assert.deepEqual({ ...params, state: undefined }, {
      theme: "dark",
      id_token_hint: issued[0],
      client_id: CLIENT.id,
      post_logout_redirect_uri: `${ORIGIN}/auth/signout/idp`,
      state: undefined,
    });
    const back = await ask(world.site, `/auth/signout/idp?state=${params?.state}`, {
      cookies: keep(response, cookies),
    });
    assert.equal(locationOf(back), CALLBACK);
    assert.deepEqual(Object.keys(keep(back, keep(response, cookies))).filter((name) => name.includes("state")), []);
    assert.deepEqual(world.log.errors, []);
  });

  test(`the id_token of ${way} is kept sealed, and nothing shows it to the browser or to callbacks`, async () => {
    const shown: string[] = [];
    const world = new World({
      ...options,
      callbacks: {
        session: (params) => {
          shown.push(JSON.stringify(params));
          return { ...params.session, ...params.token };
        },
        jwt: ({ token, user }) => {
          if (!user) shown.push(JSON.stringify(token));
          return token;
        },
      },
    });
    const issued = issuedBy(world);
    const cookies = await world.signIn();
    shown.push(await (await ask(world.site, "/auth/session", { cookies })).text());
    assert.ok(shown.length >= 2 && issued[0]);
    for (const text of shown) assert.ok(!text.includes(issued[0]) && !text.includes(String(issued[0].split(".")[1])));
  });

  test(`nothing is kept of ${way} where the provider has no \`logout\`, and the sign-out ends here`, async () => {
    const rows: AdapterSession[] = [];
    const world = new World({
      ...options,
      provider: { logout: false },
      ...(options.stored !== false && watched(rows)),
    });
    const cookies = await world.signIn();
    assert.equal(rows.length, hasRow(options) ? 1 : 0);
    for (const row of rows) assert.equal(row.logoutHint, undefined);
    const claims = isSealed(options) ? await decode({ token: cookies[COOKIE], secret: SECRET, salt: COOKIE }) : null;
    assert.deepEqual(claims?.provider_session, hasRow(options) ? undefined : { provider: "idp", sid: SID });
    assert.equal(locationOf(await world.signOut(cookies)), CALLBACK);
    assert.deepEqual(world.log.errors, []);
  });

  test(`signOut() ends ${way} and gives the URL of the provider`, async () => {
    const world = new World(options);
    const answer = await signOutFor(world.engine, pageRequest(await world.signIn()), { redirectTo: "/bye" });
    assert.ok(answer instanceof Response && sent(answer)?.id_token_hint);
    const cookies = await world.signIn();
    const settled = await signOutFor(world.engine, pageRequest(cookies), { redirectTo: "/bye", redirect: false });
    assert.ok(
      !(settled instanceof Response) && settled.value.startsWith("https://idp.test/logout?theme=dark&id_token_hint="),
    );
    assert.ok(settled.cookies.some(({ name, options }) => name === COOKIE && options.maxAge === 0));
  });

  test(`a script that signs ${way} out gets the URL of the provider as JSON`, async () => {
    const world = new World(options);
    const { csrfToken, cookies } = await formToken(world.site);
    const response = await ask(world.site, "/auth/signout", {
      cookies: { ...await world.signIn(), ...cookies },
      fields: { csrfToken, callbackUrl: "/bye" },
      headers: { "x-auth-return-redirect": "1" },
    });
    assert.equal(response.status, 200);
    assert.match((await response.json()).url, /^https:\/\/idp\.test\/logout\?theme=dark&id_token_hint=/);
  });
}

/** Storage that shows the rows of sessions that are written. */
function watched(rows: AdapterSession[]): WorldOptions {
  const adapter = memoryAdapter();
  return {
    adapter: {
      ...adapter,
      commit: (plan) => {
        if (plan.createSession) rows.push(plan.createSession);
        return adapter.commit(plan);
      },
    },
  };
}

test("the row of a session holds the id_token encrypted, and only that row opens it", async () => {
  const rows: AdapterSession[] = [];
  const world = new World(watched(rows));
  const issued = issuedBy(world);
  await world.signIn();
  assert.match(rows[0]?.logoutHint ?? "", /^sealed:/);
  assert.ok(!JSON.stringify(rows).includes(String(issued[0]?.split(".")[1])));
  assert.equal(rows[0]?.providerSid, SID);
});

const OPTIONS: Readonly<
  Record<string, readonly [logout: OidcProvider["logout"], endpoint: string, params: Record<string, string>]>
> = {
  "a URL": ["https://idp.test/exit", "https://idp.test/exit", { client_id: CLIENT.id }],
  "a URL with parameters": [
    { url: "https://idp.test/exit?a=1", params: { ui_locales: ["de", "en"], federated: "" } },
    "https://idp.test/exit",
    { a: "1", ui_locales: "de en", federated: "", client_id: CLIENT.id },
  ],
  "parameters of its own": [{ params: { theme: "light" } }, END_SESSION, { theme: "light", client_id: CLIENT.id }],
  "parameters that are the protocol's": [
    { params: { state: "s", client_id: "c", id_token_hint: "h", post_logout_redirect_uri: "https://evil.test" } },
    END_SESSION,
    { client_id: CLIENT.id, post_logout_redirect_uri: `${ORIGIN}/auth/signout/idp` },
  ],
  "a function": [
    ({ provider, params }) => `https://idp.test/${provider.id}/exit?${params}`,
    "https://idp.test/idp/exit",
    { client_id: CLIENT.id, post_logout_redirect_uri: `${ORIGIN}/auth/signout/idp` },
  ],
};

for (const [what, [logout, endpoint, expected]] of Object.entries(OPTIONS)) {
  test(`\`logout\` can be ${what}`, async () => {
    const world = new World({ provider: { logout } });
    const issued = issuedBy(world);
    const response = await world.signOut(await world.signIn());
    const params = sent(response, endpoint);
    for (const [name, value] of Object.entries(expected)) assert.equal(params?.[name], value, name);
    assert.equal(params?.id_token_hint, issued[0]);
    const back = await ask(world.site, `/auth/signout/idp?state=${params?.state}`, { cookies: keep(response) });
    assert.equal(locationOf(back), CALLBACK);
  });
}

test("a provider with its own name for the URL to come back to gets no id_token, and returns without state", async () => {
  const world = new World({ provider: { logout: { returnParam: "logout_uri", params: { federated: "1" } } } });
  const response = await world.signOut(await world.signIn());
  assert.deepEqual(sent(response), {
    theme: "dark",
    federated: "1",
    client_id: CLIENT.id,
    logout_uri: `${ORIGIN}/auth/signout/idp`,
  });
  const foreign = await ask(world.site, "/auth/signout/idp?state=foreign", { cookies: keep(response) });
  assert.equal(locationOf(foreign), `${ORIGIN}/`);
  assert.equal(locationOf(await ask(world.site, "/auth/signout/idp", { cookies: keep(response) })), CALLBACK);
  assert.equal(locationOf(await ask(world.site, "/auth/signout/idp")), `${ORIGIN}/`);
});

test("Auth0 is signed out of at the endpoint of its metadata, or at its own if that has none", async () => {
  const { type: _, options: __, ...facts } = auth0();
  const provider = { ...facts, id: "idp", logout: true };
  assert.ok(sent(await new World({ provider }).signOut({})) === null);
  const standard = new World({ provider });
  assert.ok(sent(await standard.signOut(await standard.signIn()))?.id_token_hint);
  const older = new World({ provider, metadata: { end_session_endpoint: undefined } });
  assert.deepEqual(sent(await older.signOut(await older.signIn()), "https://idp.test/v2/logout"), {
    client_id: CLIENT.id,
    returnTo: `${ORIGIN}/auth/signout/idp`,
  });
});

const FAILING: Readonly<Record<string, WorldOptions>> = {
  "whose function throws": {
    provider: {
      logout: () => {
        throw new Error("secret of the function");
      },
    },
  },
  "whose function returns an http URL": { provider: { logout: () => "http://idp.test/logout" } },
  "whose function returns a script": { provider: { logout: () => "javascript:alert(1)" } },
  "whose function returns nothing": { provider: { logout: () => undefined as unknown as string } },
  "whose function never answers": { provider: { logout: () => new Promise(() => {}) }, timeouts: { total: 0.2 } },
  "with a metadata of another issuer": { metadata: { issuer: "https://evil.test" } },
};

for (const [what, options] of Object.entries(FAILING)) {
  test(`a sign-out ends here and says so in the log, with a provider ${what}`, async () => {
    const { metadata = {}, ...others } = options;
    const world = new World(others);
    const cookies = await world.signIn();
    if (Object.keys(metadata).length > 0) {
      world.issuer.override("discovery", async (_, honest) => json({ ...await (await honest()).json(), ...metadata }));
      world.runtime.advance(2 * 60 * 60);
    }
    const response = await world.signOut(cookies);
    assert.equal(locationOf(response), CALLBACK);
    assert.ok(!await world.isSignedIn(cookies) && keep(response, cookies)[COOKIE] === undefined);
    const [error] = world.log.errors;
    assert.match(error?.message ?? "", /^Signed out here, and not at provider "idp": /);
    assert.ok(!String(error?.message).includes("secret"));
  });
}

for (
  const [how, fail] of Object.entries({
    "cannot be reached": () => Promise.reject(new TypeError("connection refused")),
    "never answers": () => new Promise<Response>(() => {}),
    "answers with an error": () => json({}, 500),
  })
) {
  test(`a sign-out ends here, in time, if the provider ${how}`, async () => {
    const world = new World({ stored: false, timeouts: { total: 1, request: 0.9 } });
    const cookies = await world.signIn();
    world.issuer.override("discovery", fail as () => Promise<Response>);
    world.runtime.advance(2 * 60 * 60);
    const response = await world.signOut(cookies);
    assert.equal(locationOf(response), CALLBACK);
    assert.equal(keep(response, cookies)[COOKIE], undefined);
    assert.equal(world.log.errors.length, 1);
  });
}

test("a session that cannot be ended in storage sends nobody to the provider", async () => {
  const adapter = memoryAdapter();
  const world = new World({ adapter: { ...adapter, deleteSession: () => Promise.reject(new Error("down")) } });
  const response = await world.signOut(await world.signIn(), "/bye", { mayFail: true });
  assert.match(locationOf(response), /\/auth\/error\?error=Configuration$/);
});

test("an id_token that makes the URL too long is left out", async () => {
  const world = new World();
  const response = await world.signOut(await world.signIn({ groups: "g".repeat(9000) }));
  const params = sent(response);
  assert.equal(params?.id_token_hint, undefined);
  assert.ok(params?.state && params.client_id === CLIENT.id);
});

test("an id_token that is too large for cookies is not kept in them", async () => {
  const world = new World({ stored: false });
  const cookies = await world.signIn({ groups: "g".repeat(5000) });
  const params = sent(await world.signOut(cookies));
  assert.ok(params && params.id_token_hint === undefined && params.state);
});

for (const [way, options] of Object.entries(WAYS)) {
  test(`the sign-out of ${way} goes to the provider that it began with, and nowhere after a password`, async () => {
    const byPassword = password({ authorize: () => ({ id: "9", name: "Eve" }) });
    const endpoint = "https://other.test/end";
    const other = createIssuer({ url: "https://other.test", metadata: { end_session_endpoint: endpoint } });
    const others = [other.provider({ id: "other", logout: true, [customFetch]: fetchOf(other) }), byPassword];
    const world = new World({ ...options, others });
    assert.ok(sent(await world.signOut(await world.signIn())));
    const elsewhere = await world.signIn({ sub: "grace-1", email: "grace@example.com" }, other, "other");
    const response = await world.signOut(elsewhere);
    assert.ok(sent(response, endpoint)?.id_token_hint);
    // A provider cannot give the browser back for another one.
    const state = sent(response, endpoint)?.state;
    const back = await ask(world.site, `/auth/signout/idp?state=${state}`, { cookies: keep(response) });
    assert.equal(locationOf(back), `${ORIGIN}/`);
    const { csrfToken, cookies } = await formToken(world.site);
    const fields = { csrfToken, ...ADA };
    const entered = await ask(world.site, "/auth/callback/credentials", { cookies, fields });
    assert.ok(givesSession(entered));
    assert.equal(locationOf(await world.signOut(keep(entered))), CALLBACK);
    assert.equal(locationOf(await world.signOut({})), CALLBACK, "nobody");
    assert.deepEqual(world.log.errors, []);
  });

  test(`the id_token of ${way} is opened with an older secret, and without it the sign-out has no hint`, async () => {
    const adapter = memoryAdapter();
    const stored = options.stored === false ? {} : { adapter };
    const [before, after] = ["an older secret of 32 characters or more", "a newer secret of 32 characters or more"];
    const cookies = await new World({ ...options, ...stored, secret: before }).signIn();
    const rotated = new World({ ...options, ...stored, secret: [after, before] });
    assert.ok(sent(await rotated.signOut(cookies))?.id_token_hint);
    if (isSealed(options)) return; // the cookie does not open either
    const again = await new World({ ...options, ...stored, secret: before }).signIn();
    const params = sent(await new World({ ...options, ...stored, secret: after }).signOut(again));
    assert.ok(params && params.id_token_hint === undefined);
  });
}

test("an adapter that does not keep where a session began lets a sign-out end here, and the log says so", async () => {
  const { commit: _, ...adapter } = memoryAdapter();
  const world = new World({ adapter });
  const cookies = await world.signIn();
  assert.equal(locationOf(await world.signOut(cookies)), CALLBACK);
  assert.ok(!await world.isSignedIn(cookies));
  assert.ok(world.log.warnings.includes("logout-provider-unknown"));
});

test("a claim that the jwt callback drops, or that is no object, ends the sign-out here", async () => {
  for (const provider_session of [undefined, null, "idp", ["idp"], { provider: 1 }, { provider: "unknown" }]) {
    const world = new World({ stored: false, callbacks: { jwt: ({ token }) => ({ ...token, provider_session }) } });
    assert.equal(locationOf(await world.signOut(await world.signIn())), CALLBACK);
    assert.deepEqual(world.log.errors, []);
  }
});

test("a hint that was not sealed here, or for another provider, is not sent", async () => {
  for (const logout_hint of ["sealed:forged", "eyJhbGciOiJub25lIn0.e30.", "", 1]) {
    const provider_session = { provider: "idp", logout_hint };
    const world = new World({ stored: false, callbacks: { jwt: ({ token }) => ({ ...token, provider_session }) } });
    const params = sent(await world.signOut(await world.signIn()));
    assert.ok(params && params.id_token_hint === undefined);
  }
});

test("a row's hint that was moved to another row is not sent", async () => {
  const rows: AdapterSession[] = [];
  const { adapter } = watched(rows);
  assert.ok(adapter);
  const moved: WorldOptions["adapter"] = {
    ...adapter,
    deleteSession: async (token) => {
      const row = await adapter.deleteSession?.(token);
      return row ? { ...row, logoutHint: rows[0]?.logoutHint } as AdapterSession : row;
    },
  };
  const world = new World({ adapter: moved });
  const [first, second] = [await world.signIn(), await world.signIn()];
  assert.ok(sent(await world.signOut(first))?.id_token_hint);
  const params = sent(await world.signOut(second));
  assert.ok(params && params.id_token_hint === undefined);
});

test("nobody is sent elsewhere: not by the callbackUrl of a sign-out, nor by a return", async () => {
  const world = new World();
  for (
    const callbackUrl of ["https://evil.test", "//evil.test", "/\\evil.test", "javascript:alert(1)", "/auth/signout"]
  ) {
    const response = await world.signOut(await world.signIn(), callbackUrl);
    const state = sent(response)?.state;
    const back = await ask(world.site, `/auth/signout/idp?state=${state}&callbackUrl=https://evil.test`, {
      cookies: keep(response),
    });
    assert.equal(locationOf(back), `${ORIGIN}/`, callbackUrl);
  }
});

test("a site that callbacks.redirect allows is where a sign-out ends", async () => {
  const world = new World({ callbacks: { redirect: ({ url }) => url } });
  const response = await world.signOut(await world.signIn(), "https://shop.test/");
  const back = await ask(world.site, `/auth/signout/idp?state=${sent(response)?.state}`, { cookies: keep(response) });
  assert.equal(locationOf(back), "https://shop.test/");
});

test("the cookie of a sign-in is none of a logout, and the other way round", async () => {
  const world = new World();
  const response = await world.signOut(await world.signIn());
  const [[name = "", sealed = ""] = []] = Object.entries(keep(response)).filter(([each]) => each.includes("state."));
  const state = sent(response)?.state ?? "";
  const slot = `${name.slice(0, name.lastIndexOf("."))}.${state.slice(-10).replaceAll(/[^\w-]/g, "-")}`;
  const signIn = await ask(world.site, `/auth/callback/idp?state=${state}&code=c`, { cookies: { [slot]: sealed } });
  assert.match(locationOf(signIn), /\/auth\/error\?error=Verification$/);

  const { csrfToken, cookies } = await formToken(world.site);
  const fields = { csrfToken, callbackUrl: "/elsewhere" };
  const started = await ask(world.site, "/auth/signin/idp", { cookies, fields });
  const flow = Object.entries(keep(started)).find(([each]) => each.includes("state."));
  const asked = new URL(locationOf(started)).searchParams.get("state");
  const back = await ask(world.site, `/auth/signout/idp?state=${asked}`, { cookies: { [name]: flow?.[1] ?? "" } });
  assert.equal(locationOf(back), `${ORIGIN}/`);
});

test("a logout that takes longer than 15 minutes leads home", async () => {
  const world = new World();
  const response = await world.signOut(await world.signIn());
  world.runtime.advance(16 * 60);
  const back = await ask(world.site, `/auth/signout/idp?state=${sent(response)?.state}`, { cookies: keep(response) });
  assert.equal(locationOf(back), `${ORIGIN}/`);
});

test("the sign-out page lets its form lead to a provider on this machine", async () => {
  for (const logout of ["http://localhost:9/exit", { url: "http://localhost:9/exit" }]) {
    const world = new World({ provider: { logout } });
    const { headers } = await ask(world.site, "/auth/signout");
    assert.match(headers.get("content-security-policy") ?? "", /form-action 'self' https: http:\/\/localhost:9;/);
  }
});

for (const [way, options] of Object.entries(WAYS)) {
  if (!hasRow(options)) continue;
  test(`a logout token ends ${way}, at once in this process`, async () => {
    const world = new World(options);
    const [cookies, others] = [await world.signIn(), await world.signIn({ sid: "another" })];
    assert.equal((await world.post(world.token())).status, 200);
    assert.deepEqual([await world.isSignedIn(cookies), await world.isSignedIn(others)], [false, true]);
    assert.equal((await world.post(world.token({ sid: undefined, sub: "ada-1" }))).status, 200);
    assert.equal(await world.isSignedIn(others), false);
  });

  test(`a front-channel logout ends ${way}, with and without its cookie`, async () => {
    const world = new World(options);
    for (const sends of [true, false]) {
      const cookies = await world.signIn();
      const path = `/auth/frontchannel-logout/idp?iss=https://idp.test&sid=${SID}`;
      await ask(world.site, path, { cookies: sends ? cookies : {} });
      assert.equal(await world.isSignedIn(cookies), false);
    }
  });
}

test("a sealed session that another process ends is ended when it is looked up next", async () => {
  const adapter = memoryAdapter();
  const options: WorldOptions = { adapter, session: { strategy: "jwt", revalidate: 60 } };
  const [here, there] = [new World(options), new World({ ...options, adapter: { ...adapter } })];
  const cookies = await here.signIn();
  assert.equal((await there.post(there.token())).status, 200);
  here.runtime.advance(61);
  assert.equal(await here.isSignedIn(cookies), false);
});

test("adding an account keeps what a sealed session knows of its provider", async () => {
  for (const session of [{ strategy: "jwt" }, { strategy: "jwt", revalidate: false }] as const) {
    const other = createIssuer({ url: "https://other.test" });
    const others = [other.provider({ id: "other", [customFetch]: fetchOf(other) })];
    const world = new World({ session, others });
    const cookies = await world.signIn();
    other.claim({ sub: "grace-1", email: "grace@example.com" });
    const { csrfToken, cookies: withToken } = await formToken(world.site);
    const before = { ...cookies, ...withToken };
    const started = await ask(world.site, "/auth/signin/other", { cookies: before, fields: { csrfToken } });
    const path = await answerOf(other, locationOf(started));
    const added = keep(await ask(world.site, path, { cookies: keep(started, before) }), keep(started, before));
    assert.ok(sent(await world.signOut(added))?.id_token_hint);
  }
});

test("two logout tokens of the same jti at once: one is accepted, and the session ends", async () => {
  const world = new World();
  const cookies = await world.signIn();
  const token = world.token();
  const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await world.post(token)).status));
  assert.deepEqual(statuses.toSorted(), [200, ...Array(7).fill(400)]);
  assert.ok(!await world.isSignedIn(cookies));
});

test("a logout token is refused a second time as long as it would be accepted, and ends no later session", async () => {
  const world = new World();
  await world.signIn();
  const token = world.token({ sub: "ada-1", sid: undefined, exp: Math.floor(world.runtime.now() / 1000) + 3600 });
  assert.equal((await world.post(token)).status, 200);
  const later = await world.signIn();
  for (let seconds = 0; seconds < 240; seconds += 5) {
    assert.equal((await world.post(token)).status, 400, `after ${seconds} s`);
    world.runtime.advance(5);
  }
  assert.ok(await world.isSignedIn(later));
});

test("a logout token for one provider ends nothing at another", async () => {
  const world = new World();
  const cookies = await world.signIn();
  assert.equal(
    (await ask(world.site, "/auth/backchannel-logout/other", { fields: { logout_token: world.token() } })).status,
    404,
  );
  const foreign = createIssuer({ url: "https://other.test" });
  assert.equal((await world.post(foreign.sign(world.claims(), { typ: "logout+jwt" }))).status, 200, "they share a key");
  assert.ok(!await world.isSignedIn(cookies));
  const again = await world.signIn();
  assert.equal((await world.post(world.token({ iss: foreign.url }))).status, 400);
  assert.ok(await world.isSignedIn(again));
});

test("a sign-in that waits for a second proof ends with the session at the provider that it began with", async () => {
  for (const named of [{ sid: SID }, { sub: "ada-1", sid: undefined }]) {
    const runtime = testRuntime({ now: START });
    const adapter = memoryAdapter({ now: runtime.now });
    const world = new World({ adapter, features: [secondFactor()] });
    await world.signIn();
    const user = await adapter.getUserByAccount({ provider: "idp", providerAccountId: "ada-1" });
    await enrol(resolvedFor(adapter, runtime), user?.id ?? assert.fail());
    const waiting = await world.signIn();
    const another = await world.signIn({ sid: "another" });
    const asked = async (cookies: Cookies) => (await ask(world.site, "/auth/challenge", { cookies })).status;
    assert.deepEqual([await asked(waiting), await asked(another)], [200, 200]);
    assert.equal((await world.post(world.token(named))).status, 200);
    assert.deepEqual([await asked(waiting), await asked(another)], [401, named.sid ? 200 : 401]);
  }
});

test("a token with sub ends the sessions that began at that provider, and no others", async () => {
  const world = new World();
  const [one, two] = [await world.signIn(), await world.signIn({ sid: "another" })];
  const stranger = await world.signIn({ sub: "eve-1", sid: "third", email: "eve@example.com" });
  assert.equal((await world.post(world.token({ sub: "ada-1", sid: undefined }))).status, 200);
  assert.deepEqual(await Promise.all([one, two, stranger].map((each) => world.isSignedIn(each))), [false, false, true]);
});

test("a logout token is no id_token: neither with its typ, nor without", async () => {
  for (const typ of ["logout+jwt", undefined]) {
    for (const checks of [["pkce"], ["pkce", "nonce"]] as const) {
      const world = new World({ provider: { checks } });
      world.issuer.rewrite(() => world.token({ sub: "ada-1" }, typ ? { typ } : {}));
      const { csrfToken, cookies } = await formToken(world.site);
      const started = await ask(world.site, "/auth/signin/idp", { cookies, fields: { csrfToken } });
      const path = await answerOf(world.issuer, locationOf(started));
      const done = await ask(world.site, path, { cookies: keep(started, cookies) });
      assert.equal(givesSession(done), false, `${typ} ${checks}`);
    }
  }
});

const HUGE: Readonly<Record<string, string>> = {
  "a token of 60 kB": `logout_token=${"a".repeat(60_000)}`,
  "a body of a megabyte": `logout_token=${"a".repeat(1_000_000)}`,
  "ten thousand fields": "a=1&".repeat(10_000),
  "ten thousand dots": `logout_token=${".".repeat(10_000)}`,
  "deep brackets": `logout_token=${btoa("[".repeat(9000)).replaceAll("=", "")}.${
    btoa("{".repeat(1000)).replaceAll("=", "")
  }.x`,
  "bytes that are no text": "logout_token=%ff%fe",
  "nothing": "",
};

for (const [what, body] of Object.entries(HUGE)) {
  test(`a provider's logout with ${what} is refused, and asks nobody for keys`, async () => {
    const world = new World();
    const response = await ask(world.site, "/auth/backchannel-logout/idp", {
      method: "POST",
      headers: { "content-type": FORM },
      fields: body,
    });
    assert.ok([400, 413].includes(response.status), String(response.status));
    assert.equal(world.issuer.count("jwks"), 0);
    await response.text();
  });
}

test("made-up tokens cause no flood of requests to the provider", async () => {
  const world = new World();
  await world.signIn();
  const before = world.issuer.requests.length;
  for (let time = 0; time < 30; time++) {
    const token = world.token({}, { kid: `made-up-${time}`, typ: "logout+jwt" });
    assert.equal((await world.post(token)).status, 400);
    assert.equal((await world.post(world.token({}, { alg: "PS512", typ: "logout+jwt" }))).status, 400);
  }
  assert.ok(world.issuer.requests.length - before <= 3, String(world.issuer.requests.length - before));
});

test("a logout token that is signed with a new key of the provider is accepted", async () => {
  const world = new World();
  const cookies = await world.signIn();
  world.issuer.rotate();
  assert.equal((await world.post(world.token())).status, 200);
  assert.ok(!await world.isSignedIn(cookies));
});

test("while the provider or storage is in trouble, a logout is answered with 503, and comes again", async () => {
  const adapter = memoryAdapter();
  let isDown = false;
  const world = new World({
    adapter: {
      ...adapter,
      listSessionsByProviderSid: (key) =>
        isDown ? Promise.reject(new Error("down")) : adapter.listSessionsByProviderSid(key),
    },
  });
  const cookies = await world.signIn();
  world.runtime.advance(10 * 60);
  world.issuer.override("jwks", () => Promise.reject(new TypeError("refused")), 2);
  const unreachable = await world.post(world.token(), { mayFail: true, fields: { logout_token: world.token() } });
  assert.equal(unreachable.status, 503);
  assert.deepEqual(await unreachable.json(), { error: "temporarily_unavailable" });
  isDown = true;
  const broken = await world.post(world.token(), { mayFail: true, fields: { logout_token: world.token() } });
  assert.equal(broken.status, 503, String(world.log.errors.at(-1)));
  assert.ok(await world.isSignedIn(cookies));
  isDown = false;
  assert.equal((await world.post(world.token())).status, 200);
  assert.ok(!await world.isSignedIn(cookies));
});

test("a logout token that nobody has verified raises no alarm, whatever it makes fail", async () => {
  const world = new World({
    provider: { expectedIssuer: ({ tid }) => String((tid as string).toLowerCase()) },
    metadata: { issuer: "https://idp.test/{tid}" },
  });
  const faults: string[] = [];
  const warnings: string[] = [];
  Object.assign(world.log.logger, {
    error: (error: Error) => void faults.push(String(error)),
    warn: (code: string) => void warnings.push(code),
  });
  const told = () => warnings.filter((code) => code === "logout-refused").length;
  const bad = { mayFail: true, fields: { logout_token: world.token({ sid: "other" }) } };
  assert.equal((await world.post("", bad)).status, 503);
  assert.deepEqual([faults, told()], [[], 1]);

  const other = new World();
  Object.assign(other.log.logger, world.log.logger);
  other.issuer.override("jwks", () => Promise.reject(new TypeError("refused")));
  assert.equal((await other.post("", { mayFail: true, fields: { logout_token: other.token() } })).status, 503);
  assert.deepEqual([faults, told()], [[], 2]);
});

function withoutSids(): NonNullable<WorldOptions["adapter"]> {
  const { listSessionsByProviderSid: _, ...adapter } = memoryAdapter();
  return adapter;
}

const UNABLE: Readonly<Record<string, [options: WorldOptions, why: RegExp]>> = {
  "without an adapter": [{ stored: false }, /`adapter`/],
  "with an adapter that cannot find them": [
    { adapter: withoutSids() },
    /listSessionsByProviderSid/,
  ],
  "of a provider without an issuer": [{
    provider: {
      type: "oauth" as "oidc",
      issuer: undefined,
      authorization: "https://idp.test/authorize",
      token: "https://idp.test/token",
      userinfo: "https://idp.test/userinfo",
    },
  }, /issuer/],
};

for (const [what, [options, why]] of Object.entries(UNABLE)) {
  test(`a provider's logout ${what} is refused, and the log says why`, async () => {
    const world = new World(options);
    const response = await world.post(world.token());
    assert.equal(response.status, 400);
    assert.match((await response.json()).error_description, why);
    assert.match(world.log.errors[0]?.message ?? "", /^Cannot accept back-channel logout of provider "idp": /);
    assert.match(world.log.errors[0]?.message ?? "", why);
  });
}

test("the log of a refused logout holds nothing of its token", async () => {
  const world = new World();
  const token = world.token({ aud: "other" });
  await world.post(token);
  const log = JSON.stringify(world.log.errors.map((error) => [error.message, error.cause, error.stack]));
  for (const part of token.split(".")) assert.ok(!log.includes(part));
  assert.ok(!log.includes(SID));
});

test("a front-channel logout ends sessions while the provider cannot be reached, and nobody else may frame it", async () => {
  const world = new World();
  const cookies = await world.signIn();
  world.runtime.advance(2 * 60 * 60);
  world.issuer.override("discovery", () => Promise.reject(new TypeError("refused")));
  const response = await ask(world.site, `/auth/frontchannel-logout/idp?iss=https://idp.test&sid=${SID}`, { cookies });
  assert.match(response.headers.get("content-security-policy") ?? "", /frame-ancestors https:\/\/idp\.test;/);
  assert.ok(!await world.isSignedIn(cookies));
});
