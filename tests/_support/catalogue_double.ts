/**
 * The vendor of one provider of the catalogue, as its record in tests/catalogue describes it: never from the code of the
 * provider. It demands what the vendor demands, refuses what does not fit as the vendor refuses it, and remembers why.
 *
 * @module
 */
import { createHash, createHmac } from "node:crypto";
import {
  type Demand,
  effective,
  type Entry,
  type Facts,
  type Members,
  type Sample,
  Templates,
} from "./catalogue_facts.ts";
import { encode, makeKey, type SigningKey, signJws } from "./issuer.ts";

/** The client that is registered with the vendor. The secret is long enough for a key of HS256. */
export interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A request that the vendor got. */
export interface Received {
  readonly kind: Kind;
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
}

/** What a request was for. */
export type Kind = "metadata" | "keys" | "token" | "refresh" | "answer" | "userinfo" | "unknown";

/** A demand that was not met: the fact it follows from, and what was wrong. */
export interface Missed {
  readonly field: string;
  readonly problem: string;
}

/** The authorization response. */
export interface Consent {
  readonly redirectUri: string;
  readonly params: URLSearchParams;
  readonly posted: boolean;
}

/** What tells a vendor to fail: the kind of request, and the answer to it. */
export type Failure = { readonly kind: Kind; readonly answer: () => Response };

const CODE = "the-code-of-the-vendor";

/** Parameters of the authorization request that the protocol has, and that are compared by themselves. */
const PROTOCOL = [
  "response_type",
  "client_id",
  "redirect_uri",
  "state",
  "scope",
  "response_mode",
  "nonce",
  "code_challenge",
  "code_challenge_method",
];

const keys = new Map<string, SigningKey>();

function keyFor(alg: string): SigningKey {
  const key = keys.get(alg) ?? makeKey(alg);
  keys.set(alg, key);
  return key;
}

/** The vendor of one provider. */
export class CatalogueDouble {
  /** All requests, in order. */
  readonly received: Received[] = [];
  /** All demands that were not met, in order. */
  readonly missed: Missed[] = [];
  readonly facts: Facts;
  readonly issuer: string | undefined;
  /** Everything that must not be in a log. */
  readonly secrets: Set<string>;
  readonly #entry: Entry;
  readonly #sample: Sample;
  readonly #client: Client;
  readonly #templates: Templates;
  readonly #refreshToken: string | undefined;
  readonly #isLenient: boolean;
  #accessToken: string;
  #asked = new URLSearchParams();
  #failure: Failure | null = null;

  /** @param options Whether requests are answered that the vendor would refuse; the default is that they are not. */
  constructor(entry: Entry, client: Client, { isLenient = false }: { readonly isLenient?: boolean } = {}) {
    this.#isLenient = isLenient;
    this.#entry = entry;
    this.#sample = entry.sample;
    this.#client = client;
    this.facts = effective(entry);
    this.#templates = new Templates(this.facts, entry.sample, client.clientId);
    this.issuer = this.#templates.issuer;
    this.#accessToken = String(this.#memberOfToken("access_token") ?? "the-access-token-of-the-vendor");
    const refreshToken = this.#memberOfToken("refresh_token");
    this.#refreshToken = refreshToken === undefined ? undefined : String(refreshToken);
    this.secrets = new Set([
      client.clientSecret,
      CODE,
      this.#accessToken,
      ...(this.#refreshToken ? [this.#refreshToken] : []),
    ]);
  }

  /** The refresh token that the vendor gives, if it gives one. */
  get refreshToken(): string | undefined {
    return this.#refreshToken;
  }

  /** Lets later requests of a kind fail. */
  fail(kind: Kind, answer: () => Response): void {
    this.#failure = { kind, answer };
  }

  /** How the token endpoint refuses a code. */
  refusal(): Response {
    const { status, body } = this.#sample.refusal ?? { body: { error: "invalid_grant" } };
    return answerOf({ $status: status ?? 400, $body: body });
  }

  /** Lists where an authorization URL is not as the facts say. */
  authorizationProblems(given: string | URL, checks: readonly string[] = this.facts.recommended_checks): Missed[] {
    const url = new URL(given);
    const problems: Missed[] = [];
    const expect = (field: string, what: string, is: unknown, should: unknown) => {
      if (JSON.stringify(is) !== JSON.stringify(should)) {
        problems.push({
          field,
          problem: `${what} is ${JSON.stringify(is)}, and the facts say ${JSON.stringify(should)}`,
        });
      }
    };
    const { scopes, scope_separator: separator, response_mode: mode } = this.facts;
    const { "#": hash, ...extra } = this.#extra();
    const endpoint = new URL(this.#authorizationEndpoint());
    const params = url.searchParams;
    expect("authorization_endpoint", "the endpoint", url.origin + url.pathname, endpoint.origin + endpoint.pathname);
    for (const [name, value] of endpoint.searchParams) {
      expect("authorization_endpoint", `the parameter ${name} of the endpoint`, params.get(name), value);
    }
    expect("extra_authorization_params", "the fragment", url.hash, hash ? `#${hash}` : "");
    expect("protocol", "response_type", params.get("response_type"), extra.response_type ?? "code");
    expect("protocol", "client_id", params.get("client_id"), this.#client.clientId);
    expect(
      "protocol",
      "redirect_uri",
      Boolean(params.get("redirect_uri")?.endsWith(`/callback/${this.facts.id}`)),
      true,
    );
    const scope = params.get("scope");
    expect("scopes", "scope", scope?.split(separator).sort() ?? null, scopes.length > 0 ? [...scopes].sort() : null);
    expect("response_mode", "response_mode", params.get("response_mode"), mode);
    const sent = { state: params.has("state"), pkce: params.has("code_challenge"), nonce: params.has("nonce") };
    const present = Object.entries(sent).filter(([, is]) => is).map(([name]) => name);
    expect("recommended_checks", "what binds the response", present.sort(), [...checks].sort());
    const method = sent.pkce ? extra.code_challenge_method ?? "S256" : null;
    expect("pkce", "code_challenge_method", params.get("code_challenge_method"), method);
    for (const [name, value] of Object.entries(extra)) {
      if (!PROTOCOL.includes(name)) expect("extra_authorization_params", name, read(params.get(name)), read(value));
    }
    const demand = this.#demandOf("GET", this.#authorizationEndpoint());
    for (const [name, demanded] of Object.entries(demand.query ?? {})) {
      const is = params.get(name);
      const value = this.#replace(demanded.replaceAll("{state}", params.get("state") ?? ""));
      if (!fits(is, value)) {
        problems.push({ field: "demands", problem: `${name} is ${JSON.stringify(is)}, not ${value}` });
      }
    }
    const known = [
      ...PROTOCOL,
      ...Object.keys(extra),
      ...Object.keys(demand.query ?? {}),
      ...endpoint.searchParams.keys(),
    ];
    for (const name of params.keys()) {
      if (known.includes(name)) continue;
      problems.push({
        field: "extra_authorization_params",
        problem: `${name}=${params.get(name)} is not in the facts`,
      });
    }
    return problems;
  }

  /** Agrees to a sign-in, as the person would, and gives the authorization response. */
  consent(location: string | URL): Consent {
    return this.#respond(location, { code: CODE, ...this.#sample.callback });
  }

  /** Declines a sign-in, as the person would. */
  decline(location: string | URL): Consent {
    return this.#respond(location, { error: "access_denied", error_description: "The user denied the request" });
  }

  #respond(location: string | URL, members: Readonly<Record<string, string>>): Consent {
    this.#asked = new URL(location).searchParams;
    for (const problem of this.authorizationProblems(location)) {
      if (!Object.hasOwn(this.#entry.differences, problem.field)) this.missed.push(problem);
    }
    const state = this.#asked.get("state");
    return {
      redirectUri: this.#asked.get("redirect_uri") ?? "",
      params: new URLSearchParams({ ...members, ...(state && { state }) }),
      posted: this.#asked.get("response_mode") === "form_post",
    };
  }

  /** Answers a request, as `customFetch`. */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const body = await request.text();
    const received = { method: request.method, url, headers: request.headers, body };
    const kind = this.#kindOf(received);
    this.received.push({ kind, ...received });
    const failure = this.#failure;
    if (failure?.kind === kind || (failure?.kind === "userinfo" && kind === "answer")) return failure.answer();
    return this.#answer({ kind, ...received });
  };

  #kindOf(request: Omit<Received, "kind">): Kind {
    const { method, url } = request;
    const plain = url.origin + url.pathname;
    if (this.#answerTo(method, url) !== undefined) return "answer";
    const { discovery } = this.facts;
    if (discovery && url.href === this.#discoveryUrl()) return "metadata";
    const isRefresh = paramsOf(request).grant_type === "refresh_token";
    if (isRefresh && isAt(plain, this.#refreshEndpoint())) return "refresh";
    if (!isRefresh && isAt(plain, this.#tokenEndpoint())) return "token";
    if (isAt(plain, this.#jwksUri())) return "keys";
    if (isAt(plain, this.#userinfoEndpoint())) return "userinfo";
    return "unknown";
  }

  #answer(request: Received): Response {
    switch (request.kind) {
      case "metadata":
        return Response.json(this.metadata());
      case "keys":
        return Response.json({ keys: [this.#jwk()] });
      case "token":
      case "refresh":
        return this.#tokens(request);
      case "answer":
      case "userinfo":
        return this.#profile(request);
      default:
        this.#miss("endpoint", `nothing answers ${request.method} ${request.url.href}`);
        return Response.json({ error: "not_found" }, { status: 404 });
    }
  }

  /** The metadata of an OpenID Provider, built from the facts. */
  metadata(): Members {
    const { pkce, revocation_endpoint: revocation, token_endpoint_auth_method: method } = this.facts;
    const userinfo = this.#userinfoEndpoint();
    return {
      issuer: this.issuer,
      authorization_endpoint: this.#authorizationEndpoint(),
      token_endpoint: this.#tokenEndpoint(),
      ...(userinfo && { userinfo_endpoint: userinfo }),
      jwks_uri: this.#jwksUri(),
      ...(revocation && { revocation_endpoint: this.#templates.fillAnyhow(revocation) }),
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: [this.#alg()],
      ...(method !== "custom" && { token_endpoint_auth_methods_supported: [method] }),
      ...(/supported|required/.test(pkce) && pkce !== "unsupported" && { code_challenge_methods_supported: ["S256"] }),
      ...this.#sample.metadata,
    };
  }

  #tokens(request: Received): Response {
    const problems = request.kind === "token" ? this.#codeProblems(request) : this.#refreshProblems(request);
    problems.push(...this.#clientProblems(request));
    problems.push(...this.#demandProblems(request, this.#tokenDemand(request)));
    this.missed.push(...problems);
    if (this.#isLenient) return this.#granted(request.kind);
    if (problems.some(({ field }) => field === "token_endpoint_auth_method") && !this.#sample.refusal) {
      return Response.json({ error: "invalid_client" }, { status: 401 });
    }
    return problems.length > 0 ? this.refusal() : this.#granted(request.kind);
  }

  #tokenDemand({ method, kind }: Received): Demand {
    const demand = this.#demandOf(method, this.#tokenEndpoint());
    if (kind === "token") return demand;
    const own = this.#demands(`REFRESH ${this.#refreshEndpoint()}`);
    if (own) return own;
    // What belongs to a code is not sent again.
    const isOfCode = ([name, value]: [string, string]) => /\{(?:code|state)\}/.test(value) || name === "grant_type";
    const { form, query, ...rest } = demand;
    const without = (members: Readonly<Record<string, string>> = {}) => {
      return Object.fromEntries(Object.entries(members).filter((member) => !isOfCode(member)));
    };
    return { ...rest, form: without(form), query: without(query) };
  }

  #codeProblems(request: Received): Missed[] {
    const problems: Missed[] = [];
    const form = paramsOf(request);
    const expect = (what: string, is: unknown, should: unknown) => {
      if (is !== should) problems.push({ field: "protocol", problem: `${what} is ${is}, not ${should}` });
    };
    const method = this.#demands(`GET ${this.#tokenEndpoint()}`) ? "GET" : "POST";
    expect("the method of the token request", request.method, method);
    if (method === "POST") {
      const wanted = this.#demandOf("POST", this.#tokenEndpoint()).json ? "application/json" : FORM;
      expect("the content-type of the token request", request.headers.get("content-type")?.split(";")[0], wanted);
    }
    expect("grant_type", form.grant_type, "authorization_code");
    expect("code", form.code, CODE);
    if (method === "POST") expect("redirect_uri", form.redirect_uri, this.#asked.get("redirect_uri"));
    const challenge = this.#asked.get("code_challenge");
    const verifier = form.code_verifier;
    if (verifier) this.secrets.add(verifier);
    const isPlain = this.#asked.get("code_challenge_method") === "plain";
    const made = verifier === undefined ? null : isPlain ? verifier : s256(verifier);
    expect("the challenge of code_verifier", made, challenge);
    return problems;
  }

  #refreshProblems(request: Received): Missed[] {
    const form = paramsOf(request);
    const problems: Missed[] = [];
    if (form.refresh_token !== this.#refreshToken) {
      problems.push({
        field: "protocol",
        problem: `refresh_token is ${form.refresh_token}, not ${this.#refreshToken}`,
      });
    }
    return problems;
  }

  #clientProblems(request: Received): Missed[] {
    const { token_endpoint_auth_method: method } = this.facts;
    const { clientId, clientSecret } = this.#client;
    const form = paramsOf(request);
    const given = [
      ...(request.headers.get("authorization")?.startsWith("Basic ") ? ["client_secret_basic"] : []),
      ...("client_secret" in form ? ["client_secret_post"] : []),
    ].join(" and ") || "none";
    const [user, password] = [clientId, clientSecret].map((text) => encodeURIComponent(text).replaceAll("%20", "+"));
    const basic = `Basic ${btoa(`${user}:${password}`)}`;
    const isRight = {
      client_secret_basic: given === method && request.headers.get("authorization") === basic,
      client_secret_post: given === method && form.client_id === clientId && form.client_secret === clientSecret,
      none: given === method && form.client_id === clientId,
      custom: true,
    }[method];
    // A difference without a value leaves it open which one the vendor takes.
    const isOpen = typeof this.#entry.differences.token_endpoint_auth_method === "string";
    if (isRight || isOpen) return [];
    return [{ field: "token_endpoint_auth_method", problem: `the client authenticates with ${given}, not ${method}` }];
  }

  #granted(kind: Kind): Response {
    const { token = {} } = this.#sample;
    const idToken = this.facts.type === "oidc" && kind === "token" ? this.#idToken() : undefined;
    if (idToken) this.secrets.add(idToken);
    if (typeof token === "string") {
      return textAnswer(idToken ? token.replace("{", `{"id_token":${JSON.stringify(idToken)},`) : token);
    }
    const { $status, $headers, $body } = token;
    const given = ($body ?? token) as Members;
    const isWhole = this.#memberOfToken("access_token") !== undefined;
    const usual = { access_token: this.#accessToken, token_type: "bearer", expires_in: 3600 };
    const body = { ...(!isWhole && usual), ...given, ...(idToken && { id_token: idToken }) };
    const text = JSON.stringify(body).replaceAll("{jwt}", this.#jwtAccessToken());
    return answerOf({ $status, $headers, $body: text, $type: "application/json" });
  }

  #jwtAccessToken(): string {
    if (this.facts.profile_source !== "access_token_jwt") return "";
    // One for all answers: a refresh gives it again.
    if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(this.#accessToken)) {
      const iat = Math.floor(Date.now() / 1000);
      const claims = JSON.parse(this.#replace(JSON.stringify(this.#sample.claims ?? {}))) as Members;
      this.#accessToken = this.#sign({ iss: this.issuer, iat, exp: iat + 1200, ...claims });
      this.secrets.add(this.#accessToken);
    }
    return this.#accessToken;
  }

  #idToken(): string {
    const iat = Math.floor(Date.now() / 1000);
    const nonce = this.#asked.get("nonce");
    const protocol = { iss: this.issuer, aud: this.#client.clientId, iat, exp: iat + 300, ...(nonce && { nonce }) };
    return this.#sign({ ...protocol, ...this.#claims() });
  }

  #claims(): Members {
    return JSON.parse(this.#replace(JSON.stringify(this.#sample.claims ?? {})));
  }

  #profile(request: Received): Response {
    const demand = this.#demandOf(request.method, request.url.origin + request.url.pathname);
    const problems = [...this.#bearerProblems(request, demand), ...this.#demandProblems(request, demand)];
    this.missed.push(...problems);
    if (problems.length > 0 && !this.#isLenient) return Response.json({ error: "invalid_token" }, { status: 401 });
    const answer = this.#answerTo(request.method, request.url) ?? this.#claims();
    const isUserinfo = isAt(request.url.origin + request.url.pathname, this.#userinfoEndpoint());
    if (!isUserinfo || !this.facts.userinfo_quirks.signed_response_alg) return answerOf(answer);
    const text = this.#sign({ iss: this.issuer, aud: this.#client.clientId, ...answer as Members });
    return new Response(text, { headers: { "content-type": "application/jwt" } });
  }

  #bearerProblems(request: Received, { token = "header" }: Demand): Missed[] {
    const [where = "", name = ""] = token.split(":");
    const form = paramsOf(request);
    const given: Readonly<Record<string, string | null | undefined>> = {
      header: request.headers.get("authorization"),
      query: request.url.searchParams.get(name),
      form: form[name],
    };
    const expected = where === "header" ? `${name || "Bearer"} ${this.#accessToken}` : this.#accessToken;
    const other = where !== "header" && request.headers.has("authorization") && where !== "none" && where !== "path";
    if (!(where in given) || (given[where] === expected && !other)) return [];
    return [{
      field: "token",
      problem: `${request.url.origin}${request.url.pathname} wants the access token in ${token}`,
    }];
  }

  #demandProblems(request: Received, { headers = {}, query = {}, form = {}, json = {} }: Demand): Missed[] {
    const { url, method } = request;
    const sent = paramsOf(request);
    const compared: [what: string, is: unknown, should: unknown][] = [
      ...Object.entries(headers).map(([name, value]): [string, unknown, unknown] => [
        `header ${name}`,
        request.headers.get(name),
        value,
      ]),
      ...Object.entries(query).map((
        [name, value],
      ): [string, unknown, unknown] => [name, url.searchParams.get(name), value]),
      ...Object.entries({ ...form, ...json }).map((
        [name, value],
      ): [string, unknown, unknown] => [name, sent[name], value]),
    ];
    return compared.filter(([, is, should]) => !fits(is, typeof should === "string" ? this.#replace(should) : should))
      .map(([what, is, should]) => ({
        field: "demands",
        problem: `${method} ${url.origin}${url.pathname}: ${what} is ${JSON.stringify(is ?? null)}, not ${
          JSON.stringify(typeof should === "string" ? this.#replace(should) : should)
        }`,
      }));
  }

  #replace(text: string): string {
    const values: Readonly<Record<string, string | null>> = {
      clientId: this.#client.clientId,
      clientSecret: this.#client.clientSecret,
      accessToken: this.#accessToken,
      refreshToken: this.#refreshToken ?? null,
      state: this.#asked.get("state"),
      redirectUri: this.#asked.get("redirect_uri"),
      code: CODE,
    };
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  }

  #demands(key: string): Demand | undefined {
    const { demands = {} } = this.#sample;
    return Object.entries(demands).find(([written]) => isSameKey(this.#replace(written), key))?.[1];
  }

  #demandOf(method: string, url: string): Demand {
    return this.#demands(`${method} ${url}`) ?? {};
  }

  #answerTo(method: string, url: URL): unknown {
    const key = `${method} ${url.origin}${url.pathname}`;
    const { answers = {} } = this.#sample;
    return Object.entries(answers).find(([written]) => isSameKey(this.#replace(written), key))?.[1];
  }

  #extra(): Readonly<Record<string, string>> {
    const extra = Object.entries(this.facts.extra_authorization_params);
    // Where no option says what a placeholder stands for, the parameter is not sent.
    const filled = extra.map((
      [name, value],
    ) => [name, /^\{\w+\}$/.test(value) ? this.#templates.tryFill(value) : value]);
    return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
  }

  #authorizationEndpoint(): string {
    return this.#endpoint("authorization_endpoint", "authorize");
  }

  #tokenEndpoint(): string {
    return this.#endpoint("token_endpoint", "token");
  }

  #refreshEndpoint(): string {
    return this.facts.refresh_endpoint ? this.#templates.fill(this.facts.refresh_endpoint) : this.#tokenEndpoint();
  }

  #jwksUri(): string {
    return this.facts.jwks_uri || this.issuer ? this.#endpoint("jwks_uri", "jwks") : "";
  }

  #userinfoEndpoint(): string | undefined {
    const { userinfo_endpoint: recorded, discovery } = this.facts;
    // Where nobody recorded it, the metadata of the sample may have it.
    const endpoint = recorded ?? this.#sample.metadata?.userinfo_endpoint;
    if (typeof endpoint !== "string" || !endpoint) return undefined;
    return discovery ? this.#templates.fillAnyhow(endpoint) : this.#templates.tryFill(endpoint);
  }

  #discoveryUrl(): string {
    const { discovery_url: url } = this.facts;
    const filled = url === null ? undefined : this.#templates.tryFill(url);
    return filled ?? `${this.issuer?.replace(/\/+$/, "")}/.well-known/openid-configuration`;
  }

  #endpoint(field: "authorization_endpoint" | "token_endpoint" | "jwks_uri", path: string): string {
    const endpoint = this.facts[field];
    if (endpoint === null) return `${this.issuer?.replace(/\/+$/, "")}/${path}`;
    return this.facts.discovery ? this.#templates.fillAnyhow(endpoint) : this.#templates.fill(endpoint);
  }

  #alg(): string {
    return this.facts.id_token_signed_response_alg ?? "RS256";
  }

  #jwk(): unknown {
    const alg = this.#alg();
    return keyFor(alg.startsWith("HS") ? "ES256" : alg).jwk;
  }

  #sign(claims: Members): string {
    const alg = this.#alg();
    if (!alg.startsWith("HS")) return signJws(claims, { alg, kid: keyFor(alg).kid, typ: "JWT" }, keyFor(alg));
    const text = `${encode({ alg, typ: "JWT" })}.${encode(claims)}`;
    return `${text}.${createHmac(`sha${alg.slice(2)}`, this.#client.clientSecret).update(text).digest("base64url")}`;
  }

  #memberOfToken(name: string): unknown {
    const { token } = this.#sample;
    if (typeof token !== "string") return find(token, name);
    return new RegExp(`"${name}"\\s*:\\s*"([^"]+)"`).exec(token)?.[1] ??
      new URLSearchParams(token).get(name) ?? undefined;
  }

  #miss(field: string, problem: string): void {
    this.missed.push({ field, problem });
  }
}

const FORM = "application/x-www-form-urlencoded";

/** The parameters of a request: of its form, its JSON or, without a body, its query. */
function paramsOf({ body, headers, url }: Omit<Received, "kind">): Readonly<Record<string, string | undefined>> {
  if (!body) return Object.fromEntries(url.searchParams);
  if (!headers.get("content-type")?.includes("json")) return Object.fromEntries(new URLSearchParams(body));
  const value: unknown = JSON.parse(body);
  return typeof value === "object" && value !== null ? value as Record<string, string> : {};
}

function isSameKey(a: string, b: string): boolean {
  return normal(a) === normal(b);
}

function normal(key: string): string {
  const [method = "", address = ""] = key.split(" ");
  const { origin, pathname } = new URL(address);
  return `${method} ${origin}${pathname}`;
}

function isAt(plain: string, endpoint: string | undefined): boolean {
  if (!endpoint) return false;
  const { origin, pathname } = new URL(endpoint);
  return plain === origin + pathname;
}

function fits(is: unknown, should: unknown): boolean {
  if (should === "*") return is !== null && is !== undefined && is !== "";
  return JSON.stringify(is) === JSON.stringify(should);
}

/** Parameters that are JSON are compared by what they mean. */
function read(value: string | null | undefined): unknown {
  try {
    return value?.startsWith("{") ? JSON.parse(value) : value ?? null;
  } catch {
    return value;
  }
}

function find(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (Object.hasOwn(value, name)) return (value as Members)[name];
  for (const member of Object.values(value)) {
    const found = find(member, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Makes an answer: an object as JSON, text as it is. `$status`, `$headers` and `$body` say what differs from that. */
function answerOf(answer: unknown): Response {
  if (typeof answer !== "object" || answer === null || !("$body" in answer || "$status" in answer)) {
    return textAnswer(answer);
  }
  const { $status, $headers, $body, $type } = answer as {
    $status?: number;
    $headers?: Record<string, string>;
    $body?: unknown;
    $type?: string;
  };
  return textAnswer($body, $status, { ...($type && { "content-type": $type }), ...$headers });
}

function textAnswer(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  const text = typeof body === "string" ? body : JSON.stringify(body ?? null);
  const isJson = /^\s*[{[]/.test(text);
  const type = isJson ? "application/json" : /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text) ? "application/jwt" : "text/html";
  return new Response(text, { status, headers: { "content-type": type, ...headers } });
}

function s256(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
