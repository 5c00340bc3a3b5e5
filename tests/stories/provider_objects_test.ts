/** Provider objects of `@auth/core`, given to both libraries as they are, do the same in both. */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { make, open, ORIGIN, type SideName, Visitor } from "../_support/both_libraries.ts";
import { CLIENT, OAUTH_ROWS, ProviderDouble, type ProviderRow } from "../_support/provider_objects.ts";

const realFetch = globalThis.fetch;

afterEach(() => {
  globalThis.fetch = realFetch;
});

/** A whole sign-in, and what it leaves behind. */
async function signIn(side: SideName, module: string, row: ProviderRow) {
  const extra = side === "theirs" ? row.optionsForAuthJs : {};
  const provider = await make(module, { ...CLIENT, ...row.options, ...extra });
  const double = new ProviderDouble(row, provider);
  globalThis.fetch = double.fetch as typeof fetch;
  const { service, signedIn, errors, id } = open(side, provider);
  const visitor = new Visitor(service);
  const asked = await visitor.start(id);
  assert.deepEqual(errors, [], `${side}: ${String((errors[0] as Error)?.cause)}`);
  const posted = asked.searchParams.get("response_mode") === "form_post";
  const end = await visitor.comeBack(id, double.consent(asked), posted);
  return { asked, end, signedIn, errors, double, provider };
}

type Outcome = Awaited<ReturnType<typeof signIn>>;

/** Parameters whose values are random. Whether they are there is compared, and what they do at the end of a sign-in. */
const RANDOM = ["nonce", "code_challenge"];

/**
 * The authorization URL, without what is random in it. OpenID Connect has a nonce here unless `checks` says otherwise; in
 * Auth.js only where `checks` asks for it.
 */
function authorizationOf({ asked, provider }: Outcome): object {
  const checks = provider.options?.checks ?? provider.checks;
  const isCompared = (name: string) => name !== "state" && !(name === "nonce" && checks === undefined);
  const params = [...asked.searchParams].filter(([name]) => isCompared(name));
  return {
    endpoint: asked.origin + asked.pathname + asked.hash,
    params: Object.fromEntries(params.map(([name, value]) => [name, RANDOM.includes(name) ? "random" : value]).sort()),
  };
}

/** The token requests, without what is random in them. */
function tokenRequestsOf({ double: { received } }: Outcome): object {
  return received.filter(({ kind }) => kind === "token").map(({ method, url, headers, body }) => ({
    method,
    url: url.href,
    authorization: headers.get("authorization"),
    form: Object.fromEntries(
      [...new URLSearchParams(body)].map(([name, value]) => [name, name === "code_verifier" ? "random" : value]).sort(),
    ),
  }));
}

/** The user as both libraries mean it: an address that is `null` is none. */
function userOf({ signedIn: [first] }: Outcome): object {
  const { id, email, ...user } = first?.user ?? {};
  assert.match(String(id), /^[0-9a-f-]{36}$/);
  return JSON.parse(JSON.stringify({ ...user, email: email ?? undefined }));
}

/** When these tests were started, in seconds since 1970. */
const STARTED = Math.floor(Date.now() / 1000);

/** The account: ids are text here, and both tokens and times are those of one moment. */
function accountOf({ signedIn: [first] }: Outcome): object {
  const { expires_at, id_token, providerAccountId, ...account } = first?.account ?? {};
  const { exp: _, iat: __, nonce: ___, ...claims } = id_token
    ? JSON.parse(atob(String(id_token).split(".")[1] ?? ""))
    : {};
  return {
    ...account,
    claims,
    minutes: typeof expires_at === "number" && Math.round((expires_at - STARTED) / 600) * 10,
    providerAccountId: String(providerAccountId),
  };
}

/** What is known about the person, without what is random in it. */
function profileOf({ signedIn: [first] }: Outcome): object {
  const { iat: _, exp: __, nonce: ___, ...profile } = first?.profile as Record<string, unknown>;
  return profile;
}

for (const [module, row] of Object.entries(OAUTH_ROWS)) {
  test(`${module}: the authorization URL, the token request, the user and the account are the same`, async () => {
    const theirs = await signIn("theirs", module, row);
    const ours = await signIn("ours", module, row);
    for (const { errors, end } of [theirs, ours]) assert.deepEqual([errors, end.href], [[], `${ORIGIN}/`]);
    assert.deepEqual(authorizationOf(ours), authorizationOf(theirs));
    if (module !== "azure-devops") assert.deepEqual(tokenRequestsOf(ours), tokenRequestsOf(theirs));
    assert.deepEqual(profileOf(ours), profileOf(theirs));
    assert.deepEqual(userOf(ours), userOf(theirs));
    assert.deepEqual(accountOf(ours), accountOf(theirs));
    assert.deepEqual(strayRequestsOf(ours), STRAY[module] ?? []);
  });
}

/** Requests that nobody answers: these objects derive `wellKnown` from another form of the issuer than they are given. */
const STRAY: Readonly<Record<string, readonly string[]>> = {
  asgardeo: ["https://api.asgardeo.io/t/acme/oauth2/token/oauth2/token/.well-known/openid-configuration"],
  onelogin: ["https://acme.onelogin.com/oidc/2/oidc/2/.well-known/openid-configuration"],
  fusionauth: ["https://acme.fusionauth.io/.well-known/openid-configuration?tenantId=t-1"],
};

function strayRequestsOf({ double: { received } }: Outcome): readonly string[] {
  return received.filter(({ kind }) => kind === "unknown").map(({ url }) => url.href);
}

// Auth.js never calls the token handler of this object, so its token request is that of plain OAuth.
test("azure-devops: the token request is the one that its object makes", async () => {
  const { double } = await signIn("ours", "azure-devops", OAUTH_ROWS["azure-devops"] ?? {});
  const { body } = double.received.find(({ kind }) => kind === "token") ?? {};
  assert.deepEqual(Object.fromEntries(new URLSearchParams(body)), {
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: CLIENT.clientSecret,
    grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    assertion: "code-1",
    redirect_uri: `${ORIGIN}/auth/callback/azure-devops`,
  });
});

test("azure-devops: the type of token that the vendor answers with is accepted from its handler", async () => {
  const { end, signedIn } = await signIn("ours", "azure-devops", {
    ...OAUTH_ROWS["azure-devops"],
    tokens: { token_type: "jwt-bearer", expires_in: "3599" },
  });
  assert.deepEqual([end.href, signedIn[0]?.account.token_type], [`${ORIGIN}/`, "jwt-bearer"]);
});

/** What developers change about objects, and what that does to the authorization URL. */
const CHANGES: Readonly<Record<string, readonly object[]>> = {
  github: [{ authorization: { params: { scope: "repo" } } }, { authorization: "https://github.com/x?scope=gist&a=1" }],
  google: [
    { authorization: { params: { prompt: "consent", access_type: "offline", response_type: "code" } } },
    { authorization: "https://accounts.google.com/o/oauth2/v2/auth?scope=openid&prompt=login" },
    { authorization: { url: "https://accounts.google.com/o/oauth2/v2/auth?hd=example.com&scope=openid+email" } },
    { checks: ["none"] },
    { checks: ["pkce", "state", "nonce"] },
  ],
  spotify: [
    { authorization: "https://accounts.spotify.com/authorize?scope=user-read-email+playlist-read-private" },
    {
      authorization: {
        url: "https://accounts.spotify.com/authorize?scope=a",
        params: { scope: "b", show_dialog: true },
      },
    },
  ],
  discord: [{ authorization: { url: "https://discord.com/api/oauth2/authorize?scope=bot&permissions=8" } }],
  twitch: [{ authorization: { params: { claims: { userinfo: { email: { essential: true } } }, force_verify: true } } }],
  keycloak: [{
    issuer: "https://sso.acme.test/realms/b",
    authorization: { params: { kc_idp_hint: "saml", scope: "a" } },
  }],
};

for (const [module, changes] of Object.entries(CHANGES)) {
  for (const change of changes) {
    test(`${module} with ${JSON.stringify(change)}: the authorization URL is the same`, async () => {
      const row = OAUTH_ROWS[module] ?? {};
      const changed = { ...row, options: { ...row.options, ...change } };
      const theirs = await signIn("theirs", module, changed);
      const ours = await signIn("ours", module, changed);
      assert.deepEqual(authorizationOf(ours), authorizationOf(theirs));
      assert.deepEqual(userOf(ours), userOf(theirs));
    });
  }
}

// In Auth.js the URL is lost.
test("parameters of an endpoint that an object gives as a URL are added to it", async () => {
  const options = { authorization: { params: { scope: "user-read-private" } } };
  const { asked, end } = await signIn("ours", "spotify", { ...OAUTH_ROWS.spotify, options });
  assert.equal(asked.origin + asked.pathname, "https://accounts.spotify.com/authorize");
  assert.deepEqual([asked.searchParams.getAll("scope"), end.href], [["user-read-private"], `${ORIGIN}/`]);
});

/** Objects that cannot work with their vendor as it is, in neither library, and how the vendor answers. */
const CANNOT: Readonly<Record<string, { readonly why: string; readonly profile: Readonly<Record<string, unknown>> }>> =
  {
    bungie: {
      why: "its URL of userinfo has a placeholder, and the vendor demands an API key in a header",
      profile: { ErrorCode: 2101, ErrorStatus: "ApiInvalidOrExpiredKey", Message: "Please use a valid key" },
    },
    threads: {
      why: "its `profile` reads a member `data`, and the vendor answers without one",
      profile: { id: "31", username: "ada", name: "Ada", threads_profile_picture_url: "https://img.test/ada.png" },
    },
  };

test("at most two objects cannot work, and they fail in both libraries", async () => {
  assert.ok(Object.keys(CANNOT).length <= 2);
  for (const [module, { profile, why }] of Object.entries(CANNOT)) {
    for (const side of ["theirs", "ours"] as const) {
      const { signedIn, errors: [error] } = await signIn(side, module, { profile });
      assert.deepEqual(
        [signedIn.length, (error as { type?: string } | undefined)?.type],
        [0, "OAuthProfileParseError"],
        why,
      );
    }
  }
});

/** Vendors that may leave out `token_type`, which RFC 6749, section 5.1, requires. Both libraries refuse that. */
const WITHOUT_TOKEN_TYPE = ["foursquare", "instagram", "threads", "vk"];

test("a token response without token_type is refused in both libraries, and accepted where conform adds it", async () => {
  for (const module of WITHOUT_TOKEN_TYPE) {
    const row = { ...OAUTH_ROWS[module], tokens: { ...OAUTH_ROWS[module]?.tokens, token_type: undefined } };
    for (const side of ["theirs", "ours"] as const) assert.equal((await signIn(side, module, row)).signedIn.length, 0);
    const conform = async (response: Response) => Response.json({ token_type: "bearer", ...await response.json() });
    const { signedIn } = await signIn("ours", module, { ...row, options: { token: { conform } } });
    assert.equal(signedIn.length, 1, module);
  }
});

test("credentials: authorize is given the same fields and a request with the same body, and its user signs in", async () => {
  const outcomes: Record<string, unknown> = {};
  for (const side of ["theirs", "ours"] as const) {
    const given: unknown[] = [];
    const authorize = async (fields: Readonly<Record<string, unknown>>, request: Request) => {
      const { csrfToken, ...typed } = fields;
      const { csrfToken: same, ...body } = await request.json();
      given.push(typed, body, request.method, request.url, csrfToken === same);
      return { id: "1", name: "Ada", email: "Ada@Example.com" };
    };
    const provider = await make("credentials", { credentials: { username: { label: "Name" } }, authorize });
    const { service, signedIn, errors, id } = open(side, provider);
    const end = await new Visitor(service).post(`/auth/callback/${id}`, { username: "ada", password: "lovelace" });
    assert.deepEqual(errors, []);
    outcomes[side] = JSON.parse(JSON.stringify([given, signedIn, end.href]).replaceAll(/[0-9a-f]{64}/g, "random"));
  }
  assert.deepEqual(outcomes.ours, outcomes.theirs);
});
