/**
 * The questions for services with the endpoints and cookies of Auth.js.
 *
 * @module
 */
import type { Adapter } from "@x/auth";
import { encode } from "@x/auth/jwt";
import { tokenAnswer } from "../network.ts";
import {
  ADA,
  answersWith,
  authRequest,
  CLIENT,
  cookiesOf,
  ISSUER,
  type Question,
  redirectsTo,
  SECRET,
  type Side,
} from "./side.ts";

const COOKIE = "authjs.session-token";
const SEALED = new RegExp(`${COOKIE}=ey`);

/** The number of different cookies: more than the cache of opened tokens holds. */
const NEW_COOKIES = 4000;

const THIRTY_DAYS = 30 * 24 * 60 * 60 * 1000;

/** Settings of an OpenID Connect provider. */
export interface OidcSettings {
  readonly id: string;
  readonly name: string;
  readonly type: "oidc";
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly checks: ("pkce" | "state" | "nonce")[];
}

/** An OpenID Connect provider, the same for each library. */
export function oidcProvider(): OidcSettings {
  return { ...CLIENT, id: "oidc", name: "Issuer", type: "oidc", issuer: ISSUER, checks: ["pkce", "state", "nonce"] };
}

/** Settings of a form with a name and a password. */
export interface CredentialsSettings {
  readonly id: string;
  readonly credentials: { readonly username: Record<string, never>; readonly password: { readonly type: "password" } };
  readonly authorize: (fields: { readonly password?: unknown }) => { id: string; name: string; email: string } | null;
}

/** A form that lets one user in, the same for each library. */
export function credentialsForm(): CredentialsSettings {
  const { password: wanted, ...user } = ADA;
  return {
    id: "credentials",
    credentials: { username: {}, password: { type: "password" } },
    authorize: ({ password }) => password === wanted ? { ...user } : null,
  };
}

/** Lists the questions; with storage, only the one that storage is for. */
export function authjsQuestions(answer: Side["answer"], adapter?: Adapter): Side["questions"] {
  if (adapter) return { "session-stored": () => readsStored(adapter) };
  return {
    "session-none": () => reads(() => authRequest("session"), answersWith(/^null$/)),
    "session-known": async () => {
      const cookie = await sealedCookie();
      return await reads(() => authRequest("session", cookie), answersWith(/"name":"Ada"/));
    },
    "session-new": async () => {
      const cookies = await newCookies();
      return await reads((index) => authRequest("session", cookies[index % NEW_COOKIES]), answersWith(/"name":"Ada"/));
    },
    "csrf-known": async () => {
      const { cookie, csrfToken } = await openForm(answer);
      return await reads(() => authRequest("csrf", cookie), answersWith(new RegExp(`"csrfToken":"${csrfToken}"`)));
    },
    "providers": () => reads(() => authRequest("providers"), answersWith(/^\{"[\w-]+":\{"id"/)),
    "sign-in-page": async () => {
      const { cookie } = await openForm(answer);
      return await reads(() => authRequest("signin", cookie), answersWith(/<form [^]*<\/html>/));
    },
    "credentials": () => {
      const fields = { username: ADA.email, password: ADA.password };
      return submits(answer, "callback/credentials", fields, redirectsTo(/^http:\/\/localhost\/?$/, SEALED));
    },
    "oauth-start": () => {
      const started = redirectsTo(
        /^https:\/\/github\.com\/.*[?&]state=.*code_challenge=|code_challenge=.*state=/,
        /ey/,
      );
      return submits(answer, "signin/github", {}, started);
    },
    "oauth-callback": () => returns(answer, "github", () => "code"),
    // The code is the nonce, so that the issuer finds the id_token that it has signed in advance.
    "oidc-callback": () => {
      return returns(answer, "oidc", (sent) => {
        const nonce = sent.get("nonce") ?? "";
        tokenAnswer(nonce);
        return nonce;
      });
    },
    "sign-out": async () => {
      const session = await sealedCookie();
      const gone = redirectsTo(/^http:\/\/localhost\/?$/, new RegExp(`${COOKIE}=;.*Max-Age=0`, "i"));
      return await submits(answer, "signout", {}, gone, session);
    },
  };
}

async function readsStored(adapter: Adapter): Promise<Question> {
  const { id, name, email } = ADA;
  const sessionToken = crypto.randomUUID();
  // Two libraries on one database have the same user.
  const user = await adapter.getUserByEmail?.(email) ??
    await adapter.createUser?.({ id, name, email, emailVerified: null });
  await adapter.createSession?.({ sessionToken, userId: user?.id ?? id, expires: new Date(Date.now() + THIRTY_DAYS) });
  return await reads(() => authRequest("session", `${COOKIE}=${sessionToken}`), answersWith(/"name":"Ada"/));
}

function reads(request: Question["request"], problemOf: Question["problemOf"]): Promise<Question> {
  return Promise.resolve({ request, status: 200, problemOf });
}

async function submits(
  answer: Side["answer"],
  path: string,
  fields: Readonly<Record<string, string>>,
  problemOf: Question["problemOf"],
  session?: string,
): Promise<Question> {
  const { cookie, csrfToken } = await openForm(answer);
  const cookies = session ? `${cookie}; ${session}` : cookie;
  return { request: () => authRequest(path, cookies, { csrfToken, ...fields }), status: 302, problemOf };
}

/** The callback of a provider. A flow is accepted once, so each request begins one. */
async function returns(
  answer: Side["answer"],
  provider: string,
  codeOf: (sent: URLSearchParams) => string,
): Promise<Question> {
  const { cookie, csrfToken } = await openForm(answer);
  return {
    async request() {
      const started = await answer(authRequest(`signin/${provider}`, cookie, { csrfToken }));
      const sent = new URL(started.headers.get("location") ?? "").searchParams;
      const params = new URLSearchParams({ code: codeOf(sent), state: sent.get("state") ?? "" });
      return authRequest(`callback/${provider}?${params}`, `${cookie}; ${cookiesOf(started)}`);
    },
    status: 302,
    problemOf: redirectsTo(/^http:\/\/localhost\/?$/, SEALED),
  };
}

async function openForm(answer: Side["answer"]): Promise<{ readonly cookie: string; readonly csrfToken: string }> {
  const response = await answer(authRequest("csrf"));
  const cookie = cookiesOf(response);
  const { csrfToken } = await response.json() as { readonly csrfToken: string };
  return { cookie, csrfToken };
}

async function sealedCookie(): Promise<string> {
  const token = { sub: ADA.id, name: ADA.name, email: ADA.email };
  return `${COOKIE}=${await encode({ token, secret: SECRET, salt: COOKIE })}`;
}

let pool: Promise<readonly string[]> | undefined;

function newCookies(): Promise<readonly string[]> {
  return pool ??= Promise.all(Array.from({ length: NEW_COOKIES }, sealedCookie));
}
