/**
 * What services with the endpoints and cookies of Auth.js are asked.
 *
 * @module
 */
import type { Adapter } from "@x/auth";
import { encode } from "@x/auth/jwt";
import { ADA, ask, cookiesOf, leads, type Question, says, SECRET, type Side } from "./side.ts";

const COOKIE = "authjs.session-token";
const SEALED = new RegExp(`${COOKIE}=ey`);

/** Cookies that differ: more than a memory of opened tokens keeps before it meets the first one again. */
const NEW_COOKIES = 4000;

const THIRTY_DAYS = 30 * 24 * 60 * 60 * 1000;

/** Lists what can be asked of such a service, of one with storage only what it is for. */
export function authjsAsks(answer: Side["answer"], adapter?: Adapter): Side["asks"] {
  if (adapter) return { "session-stored": () => readsStored(adapter) };
  return {
    "session-none": () => reads(() => ask("session"), says(/^null$/)),
    "session-known": async () => {
      const cookie = await sealedCookie();
      return await reads(() => ask("session", cookie), says(/"name":"Ada"/));
    },
    "session-new": async () => {
      const cookies = await newCookies();
      return await reads((index) => ask("session", cookies[index % NEW_COOKIES]), says(/"name":"Ada"/));
    },
    "csrf-none": () => reads(() => ask("csrf"), says(/"csrfToken":"[0-9a-f]{64}"/)),
    "csrf-known": async () => {
      const { cookie, csrfToken } = await openForm(answer);
      return await reads(() => ask("csrf", cookie), says(new RegExp(`"csrfToken":"${csrfToken}"`)));
    },
    "providers": () => reads(() => ask("providers"), says(/^\{"[\w-]+":\{"id"/)),
    "sign-in-page": async () => {
      const { cookie } = await openForm(answer);
      return await reads(() => ask("signin", cookie), says(/<form [^]*<\/html>/));
    },
    "credentials": () => {
      const fields = { username: ADA.email, password: ADA.password };
      return submits(answer, "callback/credentials", fields, leads(/^http:\/\/localhost\/?$/, SEALED));
    },
    "oauth-start": () => {
      const started = leads(/^https:\/\/github\.com\/.*[?&]state=.*code_challenge=|code_challenge=.*state=/, /ey/);
      return submits(answer, "signin/github", {}, started);
    },
    "oauth-callback": () => returns(answer, "github", () => "code"),
    // The nonce is the code, so that the issuer can put it into the id_token without a memory.
    "oidc-callback": () => returns(answer, "oidc", (sent) => sent.get("nonce") ?? ""),
    "sign-out": async () => {
      const session = await sealedCookie();
      const gone = leads(/^http:\/\/localhost\/?$/, new RegExp(`${COOKIE}=;.*Max-Age=0`, "i"));
      return await submits(answer, "signout", {}, gone, session);
    },
  };
}

async function readsStored(adapter: Adapter): Promise<Question> {
  const { id: userId, name, email } = ADA;
  const sessionToken = crypto.randomUUID();
  await adapter.createUser?.({ id: userId, name, email, emailVerified: null });
  await adapter.createSession?.({ sessionToken, userId, expires: new Date(Date.now() + THIRTY_DAYS) });
  return await reads(() => ask("session", `${COOKIE}=${sessionToken}`), says(/"name":"Ada"/));
}

function reads(request: Question["request"], fault: Question["fault"]): Promise<Question> {
  return Promise.resolve({ request, status: 200, fault });
}

async function submits(
  answer: Side["answer"],
  path: string,
  fields: Readonly<Record<string, string>>,
  fault: Question["fault"],
  session?: string,
): Promise<Question> {
  const { cookie, csrfToken } = await openForm(answer);
  const cookies = session ? `${cookie}; ${session}` : cookie;
  return { request: () => ask(path, cookies, { csrfToken, ...fields }), status: 302, fault };
}

/** Comes back from the provider; services that keep a flow in a cookie take the same answer again. */
async function returns(
  answer: Side["answer"],
  provider: string,
  codeOf: (sent: URLSearchParams) => string,
): Promise<Question> {
  const { cookie, csrfToken } = await openForm(answer);
  const started = await answer(ask(`signin/${provider}`, cookie, { csrfToken }));
  const sent = new URL(started.headers.get("location") ?? "").searchParams;
  const params = new URLSearchParams({ code: codeOf(sent), state: sent.get("state") ?? "" });
  const cookies = `${cookie}; ${cookiesOf(started)}`;
  return {
    request: () => ask(`callback/${provider}?${params}`, cookies),
    status: 302,
    fault: leads(/^http:\/\/localhost\/?$/, SEALED),
  };
}

async function openForm(answer: Side["answer"]): Promise<{ readonly cookie: string; readonly csrfToken: string }> {
  const response = await answer(ask("csrf"));
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
