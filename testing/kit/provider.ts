/**
 * A provider that exists in a test only. It stands in for one of the configuration, speaks the protocol in full, and lies
 * on demand.
 *
 * @module
 */
import {
  createIssuer,
  type Endpoint,
  type Issuer,
  json,
  type Override,
  type RecordedRequest,
  secretKey,
} from "./issuer.ts";

export type { Endpoint, Override, RecordedRequest } from "./issuer.ts";

/**
 * What a provider says of a person, in its own words: the claims of an id_token, or the profile that its API answers with.
 */
export type Claims = Readonly<Record<string, unknown>>;

/** A provider of the configuration, as the test plays it. */
export interface FakeProvider {
  /** Its id in the configuration. */
  readonly id: string;
  /** The requests that the service has sent to it, in order. */
  readonly requests: readonly RecordedRequest[];
  /**
   * Changes what it says of the next person who signs in; `undefined` removes a claim.
   *
   * @example Usage
   * ```ts
   * import assert from "node:assert/strict";
   * import { testAuth } from "@x/auth/testing";
   * import { google } from "@x/auth/providers/google";
   *
   * const world = testAuth({ providers: [google()] }, { allow: true });
   * world.provider("google").next({ iss: "https://evil.test" });
   * const ada = await world.visitor().signIn("google", { name: "Ada" });
   * assert.equal(await ada.session(), null);
   * ```
   */
  next(claims: Claims): void;
  /** Lets the next person refuse. @param error What the provider reports. @default {"access_denied"} */
  refuse(error?: string): void;
  /** Answers in place of an endpoint. @param times How often. @default {1} */
  answer(endpoint: Endpoint, answer: Override, times?: number): void;
}

/** What is known of the provider that it stands in for. */
export interface ProviderFacts {
  readonly type: "oauth" | "oidc";
  readonly issuer: string;
  /** The algorithm that its id_tokens are signed with. */
  readonly alg: string;
  /** The secret of the client. */
  readonly secret: string;
  /** Its page, if it is not where the provider has it. */
  readonly authorization: string | undefined;
}

/** Where a person is sent when they have answered. */
export interface Arrival {
  readonly url: URL;
  /** The origin that they come from. */
  readonly from: string;
  /** What the browser posts. */
  readonly posted: URLSearchParams | undefined;
}

/** A fake provider, as the kit drives it. */
export interface OpenProvider extends FakeProvider {
  /** Learns what it stands in for. */
  become(facts: ProviderFacts): void;
  /** Answers a request of the service. */
  fetch(request: Request): Promise<Response>;
  /** Lets a person agree. @param location Where the service has sent them. */
  consent(location: string, claims: Claims): Promise<Arrival>;
}

/** Makes a fake provider. @param now The clock, in milliseconds since 1970. */
export function fakeProvider(id: string, now: () => number): OpenProvider {
  const requests: RecordedRequest[] = [];
  const answers: { readonly endpoint: Endpoint; readonly answer: Override; times: number }[] = [];
  let issuer: Issuer | null = null;
  let lie: Claims = {};
  let error: string | undefined;

  const open = (): Issuer => {
    if (issuer) return issuer;
    throw new Error(`Cannot find the provider "${id}": no request has used a configuration that has it`);
  };

  return {
    id,
    requests,
    next: (claims) => void (lie = { ...lie, ...claims }),
    refuse: (reported = "access_denied") => void (error = reported),
    answer: (endpoint, answer, times = 1) => void answers.push({ endpoint, answer, times }),
    become({ type, issuer: url, alg, secret, authorization }) {
      if (issuer?.url === url) return;
      const made = createIssuer({
        url,
        now: () => Math.floor(now() / 1000),
        metadata: {
          id_token_signing_alg_values_supported: [alg],
          ...(authorization !== undefined && { authorization_endpoint: authorization }),
        },
        endpointOf,
        hasIdToken: type === "oidc",
      });
      if (alg.startsWith("HS")) made.keys.splice(0, Infinity, secretKey(alg, secret));
      else if (alg !== "RS256") made.rotate(alg);
      issuer = made;
    },
    async fetch(request) {
      const endpoint = endpointOf(request);
      const given = answers.find((each) => each.endpoint === endpoint && each.times > 0);
      const honest = async (): Promise<Response> => await answerOf(open(), request);
      const before = open().requests.length;
      if (given) given.times--;
      const response = await (given ? given.answer(request.clone(), honest) : honest());
      requests.push(open().requests[before] ?? await recordOf(endpoint, request));
      return response;
    },
    async consent(location, claims) {
      const person = withoutUndefined({ ...personOf(claims), ...lie });
      const decision = { person, error };
      [lie, error] = [{}, undefined];
      if (!new URL(location).searchParams.has("redirect_uri")) {
        throw new Error(`Cannot sign in with "${id}": the fake provider reads plain authorization requests only`);
      }
      const { redirectUri, params, posts } = await open().consent(location, decision);
      if (open().url === APPLE && typeof person.name === "string") params.set("user", appleUser(person.name));
      const url = new URL(redirectUri);
      if (!posts) { for (const [name, value] of params) url.searchParams.set(name, value); }
      return { url, from: new URL(location).origin, posted: posts ? params : undefined };
    },
  };
}

const APPLE = "https://appleid.apple.com";

// Apple tells the name beside the id_token, when a person comes for the first time.
function appleUser(name: string): string {
  const [firstName = "", ...others] = name.split(" ");
  return JSON.stringify({ name: { firstName, lastName: others.join(" ") } });
}

async function recordOf(endpoint: RecordedRequest["endpoint"], request: Request): Promise<RecordedRequest> {
  const { method, url, headers } = request;
  const form = new URLSearchParams(method === "POST" ? await request.clone().text() : "");
  return { endpoint, method, url, headers, form };
}

// GitHub and others tell the addresses of a person apart from the profile.
async function answerOf(issuer: Issuer, request: Request): Promise<Response> {
  const response = await issuer.fetch(request);
  if (!/\/emails$/.test(new URL(request.url).pathname) || !response.ok) return response;
  const { email, email_verified: verified } = await response.json();
  return json(email ? [{ email, primary: true, verified: verified === true, visibility: "public" }] : []);
}

// Each has URLs of its own, but requests differ by their form.
function endpointOf(request: Request): Endpoint | "unknown" {
  const { pathname } = new URL(request.url);
  if (pathname.includes("/.well-known/") && !/jwks/.test(pathname)) return "discovery";
  if (/jwk|certs|keys?$/.test(pathname)) return "jwks";
  if (/token/.test(pathname) && request.method === "POST") return "token";
  return request.headers.has("authorization") ? "userinfo" : "unknown";
}

/** Completes what a test says of a person with what every provider says. */
function personOf(claims: Claims): Claims {
  const id = claims.sub ?? claims.id ?? numberOf(String(claims.email ?? claims.login ?? claims.name ?? "somebody"));
  const isProven = typeof claims.email === "string" && !("email_verified" in claims);
  return { sub: String(id), id, ...claims, ...(isProven && { email_verified: true }) };
}

/** The same number for the same text (FNV-1a), so that the same person comes again. */
function numberOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}

function withoutUndefined(claims: Claims): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
}
