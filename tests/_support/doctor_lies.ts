/** Everything that can be wrong with a site, one thing each, and what the doctor has to say to it. */
import type { DoctorOptions } from "../../cli/doctor/finding.ts";
import { changeCookies, ID, type Lies, type PlainAnswer, PROVIDER, put, SHOP, type Told } from "./doctor_site.ts";

export interface SeededFault {
  readonly what: string;
  /** The checks that find it, sorted. */
  readonly ids: readonly string[];
  /** What the first of them says. */
  readonly says: RegExp;
  readonly lies: Lies;
  readonly given?: string;
  readonly options?: DoctorOptions;
}

type Change = (answer: PlainAnswer, told: Told) => PlainAnswer | void;

const on = (path: string | RegExp, change: Change): Lies => ({
  answer: (answer, told) => {
    const isIt = typeof path === "string" ? told.path === path : path.test(told.path);
    return isIt && told.origin.startsWith("https:") ? change(answer, told) : undefined;
  },
});

const header = (path: string | RegExp, name: string, value: string | null): Lies => {
  return on(path, (answer) => put(answer, name, value));
};

const cookies = (change: (line: string) => string | null, path: string | RegExp = /./): Lies => {
  return on(path, (answer) => changeCookies(answer, change));
};

const status = (path: string | RegExp, code: number, body = "", headers: [string, string][] = []): Lies => {
  return on(path, () => ({ status: code, headers, body }));
};

const authorize = (change: (params: URLSearchParams, url: URL) => void): Lies => {
  return on("/auth/signin/id", (answer) => {
    const at = answer.headers.find(([name]) => name === "location");
    if (!at) return;
    const url = new URL(at[1]);
    change(url.searchParams, url);
    at[1] = url.href;
  });
};

const page = (body: string, code = 400): Lies => ({
  provider: ({ pathname }) => {
    return pathname === "/authorize" ? { status: code, headers: [["content-type", "text/html"]], body } : null;
  },
});

const moved = (change: (params: URLSearchParams, url: URL) => string): Lies => ({
  provider: (url) => {
    if (url.pathname !== "/authorize") return null;
    return { status: 302, headers: [["location", change(url.searchParams, url)]], body: "" };
  },
});

const JSON_TYPE: [string, string][] = [["content-type", "application/json"]];

/** A provider that publishes metadata. */
const issuer = (document: Readonly<Record<string, unknown>>, keys: unknown = [{ kty: "EC", x: "a" }]): Lies => ({
  answer: (answer, { path }) => {
    if (path === "/auth/providers") answer.body = answer.body.replace('"type":"oauth"', '"type":"oidc"');
  },
  provider: ({ pathname }) => {
    if (pathname === "/jwks") return { status: 200, headers: JSON_TYPE, body: JSON.stringify({ keys }) };
    if (pathname !== "/.well-known/openid-configuration") return null;
    const body = { issuer: ID, authorization_endpoint: `${ID}/authorize`, jwks_uri: `${ID}/jwks`, ...document };
    return { status: 200, headers: JSON_TYPE, body: JSON.stringify(body) };
  },
});

/** The metadata of a provider, without a fault. */
export const SOUND_ISSUER = issuer({});

const fault = (
  what: string,
  ids: string,
  says: RegExp,
  lies: Lies,
  more: Pick<SeededFault, "given" | "options"> = {},
): SeededFault => ({ what, ids: ids.split(" "), says, lies, ...more });

const ahead = (seconds: number): Lies => {
  return on(/./, (answer) => put(answer, "date", new Date(Date.now() + seconds * 1000).toUTCString()));
};

const state = (change: (line: string) => string): Lies => {
  return cookies((line) => /^[^=]*authjs\.state/.test(line) ? change(line) : line, "/auth/signin/id");
};

let waited = 0;

/** The faults. */
export const FAULTS: readonly SeededFault[] = [
  fault("a name that nobody has", "unreachable", /does not answer: its name is not known/, {}, {
    given: "https://nobody.example",
  }),
  fault("a server that breaks off", "unreachable", /broke off/, {
    raw: (response) => (response.destroy(), true),
  }),
  fault("a server that says nothing", "unreachable", /no complete answer within 0 s/, { raw: () => true }, {
    options: { timeout: 0.2 },
  }),
  fault("a redirect to another host", "site-elsewhere", /another origin: https:\/\/www\.shop\.example/, {
    ...status("/", 301, "", [["location", "https://www.shop.example/?token=secret"], [
      "strict-transport-security",
      "max-age=31536000",
    ]]),
  }),
  fault("a circle at the home page", "home-circle", /home page redirects in a circle/, {
    ...status("/", 302, "", [["location", "/"], ["strict-transport-security", "max-age=31536000"]]),
  }),
  fault("no service", "no-service", /No service answers/, status(/auth/, 404)),
  fault("an error of the configuration", "misconfigured", /configuration is wrong: \/auth\/csrf/, {
    ...status(/^\/auth\//, 500, '{"message":"There was a problem with the server configuration."}', JSON_TYPE),
  }),
  fault("a crash", "service-fails", /500 or more: 502 at \/auth\/session/, status("/auth/session", 502)),
  fault("a path that hangs", "no-answer", /not answered: \/auth\/session: no complete answer within/, {
    raw: (_, { path, method }) => path === "/auth/session" && method === "GET",
  }, { options: { timeout: 0.5 } }),
  fault("a slow path", "slow", /longer than three seconds: \/auth\/providers: 3\.\d s/, {
    raw: (response, { path, headers }) => {
      if (path !== "/auth/providers" || headers.has("x-forwarded-host")) return false;
      if (++waited !== 2) return false;
      setTimeout(() => response.writeHead(200, HEADERS).end(LIST), 3100);
      return true;
    },
  }, { options: { timeout: 5 } }),
  fault("no redirect by http", "http-not-redirected", /also answers by http.*: 200/, {
    answer: (answer, { origin }) => {
      return origin.startsWith("http:") ? { status: 200, headers: [], body: "" } : answer;
    },
  }),
  fault(
    "a redirect by http to another place",
    "http-redirects-elsewhere",
    /another place.*: http:\/\/shop\.example\/en/,
    {
      answer: (answer, { origin }) => {
        return origin.startsWith("http:") ? { status: 302, headers: [["location", "/en"]], body: "" } : answer;
      },
    },
  ),
  fault("cookies by http", "http-sets-cookies", /by http sets cookies.*: authjs\.csrf-token/, {
    answer: (answer, { origin }) => {
      if (origin.startsWith("http:")) answer.headers.push(["set-cookie", "authjs.csrf-token=a; Path=/"]);
    },
  }),
  fault("no HSTS", "hsts-missing", /Strict-Transport-Security/, header(/./, "strict-transport-security", null)),
  fault("HSTS for an hour", "hsts-short", /max-age 3600/, header(/./, "strict-transport-security", "max-age=3600")),
  fault("HSTS that cannot be read", "hsts-short", /not there/, header("/", "strict-transport-security", "yes")),
  fault("a clock that is an hour ahead", "clock-off", /clock of the site is wrong: 3[56]\d\d s ahead/, ahead(3600)),
  fault("a clock that is two minutes behind", "clock-drifts", /differ: 1[12]\d s behind/, ahead(-120)),
  fault("two services", "base-path-twice", /more than one path: \/auth, \/api\/auth/, {
    answer: (answer, { path }) => {
      if (path !== "/api/auth/csrf") return answer;
      return { status: 200, headers: JSON_TYPE, body: '{"csrfToken":"abc"}' };
    },
  }),
  fault("a session for everybody", "session-cookie-unasked", /did not sign in: __Secure-authjs\.session-token/, {
    ...on("/", (answer) => {
      answer.headers.push([
        "set-cookie",
        "__Secure-authjs.session-token=abc; Path=/; HttpOnly; Secure; SameSite=Lax",
      ]);
    }),
  }),
  fault("a stack", "stack-shown", /where code of the site failed: \/auth\/doctor-asks/, {
    ...status("/auth/doctor-asks", 404, "Error: no\n    at load (file:///srv/app/main.js:10:20)\n"),
  }),

  fault(
    "no X-Forwarded-Proto",
    "cookie-insecure cookie-prefix-missing csrf-refused form-origin origin-scheme provider-start",
    /./,
    { ask: (headers) => headers.delete("x-forwarded-proto") },
  ),
  fault("no headers of a proxy", "origin-inner", /cannot reach: http:\/\/10\.0\.0\.3:3000/, {
    ...on("/auth/providers", (answer) => {
      answer.body = answer.body.replaceAll(SHOP, "http://10.0.0.3:3000");
    }),
  }),
  fault("another port", "origin-port", /another port: https:\/\/shop\.example:8443/, {
    ...on("/auth/providers", (answer) => {
      answer.body = answer.body.replaceAll(SHOP, `${SHOP}:8443`);
    }),
  }),
  fault("another host", "origin-host", /another site: https:\/\/old\.example in the list of providers/, {
    ...on("/auth/providers", (answer) => {
      answer.body = answer.body.replaceAll(SHOP, "https://old.example");
    }),
  }),
  fault("two hosts", "origin-host origin-two", /another site: https:\/\/old\.example/, {
    ...on("/auth/providers", (answer) => {
      answer.body = answer.body.replace(SHOP, "https://old.example");
    }),
  }),
  fault("another path", "base-path-differs", /another path: https:\/\/shop\.example\/app\/auth\/callback\/id/, {
    ...on("/auth/providers", (answer) => {
      answer.body = answer.body.replaceAll("/auth/", "/app/auth/");
    }),
  }),
  fault("a host that visitors choose", "host-forwarded", /choose the host/, {
    ask: (headers, told) => {
      const sent = told.headers.get("x-forwarded-host");
      if (sent) headers.set("x-forwarded-host", sent);
    },
  }),
  fault("a scheme that visitors choose", "scheme-forwarded", /X-Forwarded-Proto/, {
    ask: (headers, told) => {
      const sent = told.headers.get("x-forwarded-proto");
      if (sent) headers.set("x-forwarded-proto", sent);
    },
  }),
  fault("forms that lead elsewhere", "form-origin", /another origin.*: http:\/\/internal:3000/, {
    ...on("/auth/signin", (answer) => {
      answer.body = answer.body.replace(
        /<form/,
        '<form method="post" action="http://internal:3000/auth/signin/id"><form',
      );
    }),
  }),
  fault("an open redirect", "open-redirect", /any site that a link names/, {
    config: { callbacks: { redirect: ({ url }) => url } },
  }),

  fault("a page in the place of data", "not-json", /else than JSON: \/auth\/session/, {
    ...on("/auth/session", (answer) => ({ ...answer, body: "<!doctype html>" })),
  }),
  fault("a path that is missing", "path-missing", /is not there: \/auth\/session/, {
    ...status("/auth/session", 404),
  }),
  fault("a slash at the end", "path-redirected", /\/auth\/session to https:\/\/shop\.example\/auth\/session\//, {
    ...status("/auth/session", 308, "", [["location", "/auth/session/"]]),
  }),
  fault("somebody's session", "session-of-another", /somebody's session/, {
    ...on("/auth/session", (answer) => ({ ...answer, body: '{"user":{"email":"canary@example.com"}}' })),
  }),
  fault("no CSRF token", "csrf-token-missing provider-start", /no CSRF token/, {
    ...on("/auth/csrf", (answer) => ({ ...answer, body: "{}" })),
  }),
  fault("no CSRF cookie", "csrf-cookie-missing csrf-refused provider-start", /without a cookie/, {
    ...cookies(() => null, "/auth/csrf"),
  }),
  fault("one CSRF token for all", "csrf-refused csrf-token-shared provider-start", /without|refuses|same/, {
    ...on("/auth/csrf", (answer) => ({ ...answer, body: '{"csrfToken":"one"}' })),
  }),
  fault("no check of forms", "csrf-unchecked", /takes a form that another site sends/, {
    ask: (headers, { method }) => {
      if (method === "POST") { for (const name of ["origin", "sec-fetch-site"]) headers.delete(name); }
    },
    ...on("/auth/signout", (answer, { headers }) => {
      if (headers.get("origin") === "https://doctor.invalid") {
        return { status: 302, headers: [["location", "/"]], body: "" };
      }
      return answer;
    }),
  }),
  fault("cookies that do not come back", "csrf-refused provider-start", /refuses a form with the right/, {
    ask: (headers) => headers.delete("cookie"),
  }),
  fault("no limit for forms", "body-unlimited", /200 kB/, {
    ...on("/auth/signout", (answer, { body }) => {
      if (body.length > 100_000) {
        return { status: 302, headers: [["location", "/auth/signin?error=MissingCSRF"]], body: "" };
      }
      return answer;
    }),
  }),
  fault("a page for each path", "unknown-path", /does not exist is answered with success/, {
    ...status("/auth/doctor-asks", 200, "<h1>Shop</h1>"),
  }),
  fault("any method", "wrong-method", /success: DELETE/, {
    ...on("/auth/session", (answer, { method }) => method === "DELETE" ? { ...answer, status: 200 } : answer),
  }),
  fault("405 without Allow", "allow-missing", /405/, {
    ...on("/auth/session", (answer, { method }) => method === "DELETE" ? put(answer, "allow", null) : undefined),
  }),
  fault("open CORS", "cors-open", /any site can read/, {
    ...on("/auth/session", (answer, { headers }) => {
      put(answer, "access-control-allow-origin", headers.get("origin") ?? "*");
      put(answer, "access-control-allow-credentials", "true");
    }),
  }),
  fault("a guard around the sign-in page", "sign-in-circle", /sign-in page redirects in a circle/, {
    ...status("/auth/signin", 302, "", [["location", "/auth/signin"]]),
  }),
  fault("a page that does not exist", "sign-in-missing", /no sign-in page: https:\/\/shop\.example\/login/, {
    config: { pages: { signIn: "/login" } },
  }),
  fault("no providers", "no-providers", /no way to sign in/, { config: { providers: [] } }),
  fault("a cache that answers", "cache-hit", /cache answers.*: \/auth\/session/, header("/auth/session", "age", "12")),
  fault("a CDN that answers", "cache-hit", /\/auth\/providers/, header("/auth/providers", "cf-cache-status", "HIT")),
  fault("a public session", "cache-shared", /meant for one visitor: \/auth\/session/, {
    ...header("/auth/session", "cache-control", "public, max-age=60"),
  }),
  fault(
    "no Cache-Control",
    "cache-unsaid",
    /does not say.*: \/auth\/csrf/,
    header("/auth/csrf", "cache-control", null),
  ),
  fault("a sign-in page that may be kept", "cache-page", /sign-in page, which sets cookies/, {
    ...header("/auth/signin", "cache-control", "public, max-age=60"),
  }),

  fault("no Secure", "cookie-insecure cookie-prefix-broken", /no Secure.*: __Host-authjs\.csrf-token/, {
    ...cookies((line) => line.replace(/; secure/i, ""), "/auth/csrf"),
  }),
  fault(
    "no HttpOnly",
    "cookie-readable",
    /no HttpOnly: __Host-authjs/,
    cookies((line) => line.replace(/; httponly/i, "")),
  ),
  fault("no SameSite", "cookie-samesite", /no SameSite/, cookies((line) => line.replace(/; samesite=\w+/i, ""))),
  fault("a SameSite that does not exist", "cookie-samesite", /no browser knows/, {
    ...cookies((line) => line.replace(/samesite=\w+/i, "SameSite=Loose"), "/auth/csrf"),
  }),
  fault("SameSite=None", "cookie-none", /SameSite=None: __Host-authjs\.csrf-token/, {
    ...cookies((line) => line.replace(/samesite=\w+/i, "SameSite=None"), "/auth/csrf"),
  }),
  fault(
    "SameSite=None by http",
    "cookie-insecure cookie-none cookie-none-insecure cookie-prefix-missing",
    /./,
    on("/", (answer) => {
      answer.headers.push(["set-cookie", "authjs.other=abc; Path=/; HttpOnly; SameSite=None"]);
    }),
  ),
  fault("a strict state", "cookie-strict", /SameSite=Strict.*: __Secure-authjs\.state/, {
    ...state((line) => line.replace(/samesite=\w+/i, "SameSite=Strict")),
  }),
  fault("a prefix with a domain", "cookie-domain-wide cookie-prefix-broken", /prefix|subdomain/, {
    ...cookies((line) => `${line}; Domain=shop.example`, "/auth/csrf"),
  }),
  fault("no prefix", "cookie-prefix-missing cookie-prefix-twins", /./, {
    ...on("/", (answer) => {
      answer.headers.push(["set-cookie", "authjs.csrf-token=abc; Path=/; HttpOnly; Secure; SameSite=Lax"]);
    }),
  }),
  fault("a foreign domain", "cookie-domain-foreign", /Domain is not that.*: __Secure-authjs\.state/, {
    ...state((line) => `${line}; Domain=example.org`),
  }),
  fault("a wide domain", "cookie-domain-wide", /Every subdomain/, state((line) => `${line}; Domain=.shop.example`)),
  fault(
    "a path of a state",
    "cookie-path",
    /Path at which the service/,
    state((line) => line.replace(/path=\//i, "Path=/login")),
  ),
  fault("a cookie that is too long", "cookie-large", /4096 bytes: __Secure-authjs\.state/, {
    ...state((line) => line.replace(/=/, `=${"x".repeat(4100)}`)),
  }),
  fault("too much in all", "cookies-heavy", /servers refuse.*: \/auth\/signin\/id/, {
    ...on("/auth/signin/id", (answer) => {
      for (const at of "abcd") answer.headers.push(["set-cookie", `${at}=${"x".repeat(2500)}; Path=/`]);
    }),
  }),
  fault("many cookies", "cookies-many", /more than 20/, {
    ...on("/", (answer) => {
      for (let at = 0; at < 25; at++) answer.headers.push(["set-cookie", `c${at}=1; Path=/`]);
    }),
  }),
  fault("a cookie twice", "cookie-twins", /sets a cookie twice: __Host-authjs\.csrf-token/, {
    ...on("/auth/csrf", (answer) => {
      const line = answer.headers.find(([name]) => name === "set-cookie");
      if (line) answer.headers.unshift(["set-cookie", line[1].replace(/=\w/, "=0")]);
    }),
  }),
  fault("cookies of next-auth 4", "cookie-families", /next-auth 4/, {
    ...on("/", (answer) => {
      answer.headers.push(["set-cookie", "__Secure-next-auth.callback-url=a; Path=/; HttpOnly; Secure; SameSite=Lax"]);
    }),
  }),
  fault("joined cookies", "cookies-joined", /joins lines.*: __Secure-authjs\.state/, {
    ...state((line) => `${line}, a=b; Path=/`),
  }),
  fault("a cookie without a name", "cookie-unreadable", /without a name/, {
    ...on("/", (answer) => void answer.headers.push(["set-cookie", "; Path=/"])),
  }),
  fault("a cookie that ends at once", "cookie-gone csrf-refused provider-start", /ends at once/, {
    ...cookies((line) => `${line}; Max-Age=0`, "/auth/csrf"),
  }),

  fault("no HTML", "page-not-html", /not HTML/, header("/auth/signin", "content-type", "text/plain")),
  fault("no CSP", "csp-missing", /no Content-Security-Policy/, header("/auth/signin", "content-security-policy", null)),
  fault("inline scripts", "csp-unsafe", /injected scripts/, {
    ...header("/auth/signin", "content-security-policy", "script-src 'self' 'unsafe-inline'; frame-ancestors 'none'"),
  }),
  fault("scripts of all hosts", "csp-unsafe", /injected scripts/, {
    ...header("/auth/signin", "content-security-policy", "default-src *; frame-ancestors 'none'"),
  }),
  fault("forms that may not leave", "csp-form-action", /forbids the way to a provider: https:\/\/id\.example/, {
    ...header(
      "/auth/signin",
      "content-security-policy",
      "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
  }),
  fault("frames", "framing", /in a frame/, {
    ...on("/auth/signin", (answer) => {
      put(answer, "x-frame-options", null);
      put(answer, "content-security-policy", "default-src 'none'");
    }),
  }),
  fault("no nosniff", "nosniff", /nosniff`: \/auth\/session/, header("/auth/session", "x-content-type-options", null)),
  fault("a whole referrer", "referrer-shown", /whole address/, header("/auth/signin", "referrer-policy", "unsafe-url")),
  fault("no referrer", "referrer-hidden", /Origin: null/, header("/auth/signin", "referrer-policy", "no-referrer")),
  fault("a script by http", "page-loads-http", /something by http/, {
    ...on("/auth/signin", (answer) => {
      answer.body += '<script src="http://cdn.example/a.js"></script>';
    }),
  }),

  fault("a start that fails", "provider-start", /does not lead to the provider: id/, {
    ...status("/auth/signin/id", 302, "", [["location", "/auth/error?error=OAuthSignin"]]),
  }),
  fault("a provider by http", "csp-form-action provider-http", /provider by http: id \(http:\/\/id\.example/, {
    ...authorize((_, url) => url.protocol = "http:"),
    config: { pages: {} },
  }),
  fault(
    "no client id",
    "client-id-missing",
    /no client id/,
    authorize((params) => params.set("client_id", "undefined")),
  ),
  fault("a client id of an example", "client-id-missing", /example/, {
    ...authorize((params) => params.set("client_id", "your-client-id")),
  }),
  fault("quotes around a client id", "client-id-padded", /quotes or spaces/, {
    ...authorize((params) => params.set("client_id", '"shop"')),
  }),
  fault("a secret in the URL", "client-secret-shown", /client secret in its URL/, {
    ...authorize((params) => params.set("client_secret", PROVIDER.clientSecret)),
  }),
  fault("no redirect_uri", "redirect-uri-missing", /where to come back/, {
    ...authorize((params) => params.delete("redirect_uri")),
  }),
  fault("a redirect_uri by http", "redirect-uri-elsewhere redirect-uri-http", /http address|another origin/, {
    ...authorize((params) => params.set("redirect_uri", "http://shop.example/auth/callback/id")),
  }),
  fault("a redirect_uri elsewhere", "redirect-uri-elsewhere", /id to https:\/\/old\.example/, {
    ...authorize((params) => params.set("redirect_uri", "https://old.example/auth/callback/id")),
  }),
  fault("a redirect_uri at another path", "redirect-uri-path", /no service/, {
    ...authorize((params) => params.set("redirect_uri", `${SHOP}/api/auth/callback/id`)),
  }),
  fault("tokens in the URL", "response-type", /tokens in the URL/, {
    ...authorize((params) => params.set("response_type", "id_token token")),
  }),
  fault("no checks", "flow-unbound", /neither state nor PKCE/, {
    ...authorize((params) => ["state", "code_challenge", "nonce"].forEach((name) => params.delete(name))),
  }),
  fault("PKCE as plain text", "pkce-plain", /plain text/, {
    ...authorize((params) => params.set("code_challenge_method", "plain")),
  }),
  fault("no cookie of the flow", "flow-cookie-missing", /sets no cookie/, cookies(() => null, "/auth/signin/id")),
  fault("a posted answer", "form-post-cookie", /SameSite=None/, {
    ...authorize((params) => params.set("response_mode", "form_post")),
  }),
  fault("a callback URL that Auth0 does not know", "redirect-uri-refused", /does not know the callback URL: id/, {
    ...page("<h1>Oops!</h1><p>Callback URL mismatch.</p>", 403),
  }),
  fault("a callback URL that Keycloak does not know", "redirect-uri-refused", /callback URL/, {
    ...page("<p>We are sorry…</p><p>Invalid parameter: redirect_uri</p>"),
  }),
  fault("a callback URL that Spotify does not know", "redirect-uri-refused", /callback URL/, {
    ...page("INVALID_CLIENT: Invalid redirect URI"),
  }),
  fault("a callback URL that Google does not know", "redirect-uri-refused", /callback URL/, {
    ...moved(() => `${ID}/signin/oauth/error?authError=${btoa("\n\u0015redirect_uri_mismatch\u0012\u00b0")}`),
  }),
  fault("a callback URL that Entra does not know", "redirect-uri-refused", /callback URL/, {
    ...page('<script>$Config={"m":"AADSTS50011: The redirect URI ..."}</script>', 200),
  }),
  fault("a client that Keycloak does not know", "client-refused", /does not know the client: id/, {
    ...page("<p>Client not found.</p>"),
  }),
  fault("a client that GitHub does not know", "client-refused", /client/, page("<p>This is not the page</p>", 404)),
  fault(
    "a client that Entra does not know",
    "client-refused",
    /client/,
    page("AADSTS700016: not found in the directory", 200),
  ),
  fault("a client that Google does not know", "client-refused", /client/, {
    ...moved(() =>
      `${ID}/signin/oauth/error?authError=${btoa("\n\u000einvalid_client\u0012\u001fThe OAuth client was not found.")}`
    ),
  }),
  fault("scopes that are refused", "scope-refused", /scopes/, {
    ...moved((params) => `${params.get("redirect_uri")}?error=invalid_scope&state=${params.get("state")}`),
  }),
  fault("a request that is refused", "request-refused", /before anybody signs in/, {
    ...moved((params) => `${params.get("redirect_uri")}?error=server_error&state=${params.get("state")}`),
  }),
  fault("a provider that is down", "provider-down", /does not answer, or fails/, page("<p>Down</p>", 503)),
  fault("an issuer with another name", "issuer-name pkce-unused", /another name/, {
    ...issuer({ issuer: "https://other.example", code_challenge_methods_supported: ["S256"] }),
    config: { providers: [{ ...PROVIDER, checks: ["state"] }] },
  }),
  fault(
    "an endpoint of an issuer by http",
    "issuer-http",
    /endpoint by http: id/,
    issuer({ token_endpoint: "http://id.example/token" }),
  ),
  fault("an issuer without keys", "issuer-keys", /keys of an issuer cannot be read/, issuer({}, [])),
  fault(
    "a private key",
    "issuer-keys-private",
    /private key/,
    issuer({}, [{ kty: "EC", x: "a", d: "canary-private-key" }]),
  ),
  fault("an issuer with another clock", "issuer-clock", /clocks of the site and of an issuer/, {
    ...issuer({}),
    provider: (url) => {
      const found = SOUND_ISSUER.provider?.(url) ?? null;
      found?.headers.push(["date", new Date(Date.now() - 200_000).toUTCString()]);
      return found;
    },
  }),
];

const HEADERS = {
  "content-type": "application/json",
  "cache-control": "private, no-store",
  "x-content-type-options": "nosniff",
};

const LIST = JSON.stringify({
  id: {
    id: "id",
    name: "ID",
    type: "oauth",
    signinUrl: `${SHOP}/auth/signin/id`,
    callbackUrl: `${SHOP}/auth/callback/id`,
  },
});
