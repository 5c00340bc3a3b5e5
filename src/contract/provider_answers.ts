/**
 * What providers of the catalogue share: requests for profiles, ids, and token responses that need repair.
 *
 * @module
 */
import { OAuthProviderError } from "../kernel/errors.ts";
import { isObject } from "../kernel/objects.ts";
import type { TokenEndpoint, UserinfoHandler } from "./provider.ts";

/** What a userinfo handler is called with. */
export type ProfileContext = Parameters<UserinfoHandler>[0];

/** How a request for a profile differs from a GET with a bearer token and JSON as its answer. */
export interface ProfileRequest {
  /** @default {"GET"}, or `"POST"` with a `body` */
  readonly method?: string | undefined;
  /** Headers to add. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Parameters to add to the query of the URL. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** A form, or an object to send as JSON. */
  readonly body?: URLSearchParams | Readonly<Record<string, unknown>> | undefined;
  /** The scheme of the header `authorization`; `null` if the token is not sent in it. @default {"Bearer"} */
  readonly scheme?: string | null | undefined;
}

/**
 * Requests a profile, or a part of one, and reads its JSON.
 *
 * @throws {OAuthProviderError} if the answer is not an object or a list, or has no 2xx status.
 */
export async function readJson<T extends object>(
  context: ProfileContext,
  url: string | URL,
  request: ProfileRequest = {},
): Promise<T> {
  const answer = await tryJson<T>(context, url, request);
  if (answer.value) return answer.value;
  const problem = answer.isRefusal ? `answered ${answer.status}` : "answered with something that is not JSON";
  throw profileError(context, problem, { status: answer.status });
}

/** Requests a part of a profile that may be missing; `null` if the answer is of no use. */
export async function readOptionalJson<T extends object>(
  context: ProfileContext,
  url: string | URL,
  request: ProfileRequest = {},
): Promise<T | null> {
  return (await tryJson<T>(context, url, request)).value;
}

/** Makes the error for a profile that a provider does not give. */
export function profileError(
  { provider: { name } }: ProfileContext,
  problem: string,
  cause: Readonly<Record<string, unknown>> = {},
): OAuthProviderError {
  return new OAuthProviderError(`Cannot read profile: ${name} ${problem}`, { cause });
}

async function tryJson<T extends object>(
  { tokens, fetch }: ProfileContext,
  given: string | URL,
  { body, headers, query, scheme = "Bearer", method = body ? "POST" : "GET" }: ProfileRequest,
): Promise<{ readonly status: number; readonly isRefusal: boolean; readonly value: T | null }> {
  const url = query ? withQuery(given, query) : given;
  const isForm = body instanceof URLSearchParams;
  const answer = await fetch(url, {
    method,
    headers: {
      accept: "application/json",
      // Several providers refuse requests without one.
      "user-agent": "x-auth",
      ...(scheme && { authorization: `${scheme} ${tokens.access_token}` }),
      ...(body && { "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json" }),
      ...headers,
    },
    ...(body && { body: isForm ? body.toString() : JSON.stringify(body) }),
  });
  const { status } = answer;
  const isRefusal = status < 200 || status > 299;
  const value: unknown = isRefusal ? null : await answer.json().catch(() => null);
  return { status, isRefusal, value: typeof value === "object" ? value as T | null : null };
}

function withQuery(given: string | URL, query: Readonly<Record<string, string>>): URL {
  const url = new URL(given);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/** Returns an id of a provider as text: text and numbers only, neither empty nor zero. */
export function textId(id: unknown): string | undefined {
  return id && (typeof id === "number" || typeof id === "string") ? String(id) : undefined;
}

/** Joins the parts of a name that are there. */
export function joinName(...parts: readonly unknown[]): string | undefined {
  return parts.filter((part) => typeof part === "string" && part.trim()).join(" ") || undefined;
}

/**
 * Makes the `conform` of a token endpoint whose JSON needs repair.
 *
 * @param repair Gets the members of the response and returns those it should have. An `error` among them refuses it.
 */
export function conformJson(
  repair: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): NonNullable<TokenEndpoint["conform"]> {
  return async (response) => {
    const body: unknown = await response.json().catch(() => null);
    return isObject(body) ? Response.json(repair(body), { status: response.status }) : undefined;
  };
}
