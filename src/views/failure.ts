/**
 * What the sign-in page remembers of the attempt before: where it failed, and what was typed. A sealed cookie holds it,
 * so a link cannot put words into the page.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import type { ResolvedProvider } from "../config/resolved_provider.ts";
import type { CredentialField } from "../contract/provider.ts";
import type { Fields } from "../http/body.ts";
import { isPlainObject } from "../kernel/objects.ts";
import { asKnownError } from "../kernel/known_errors.ts";
import type { Failure } from "../request/outcome.ts";

/** An attempt to sign in. */
export interface Attempt {
  readonly provider: ResolvedProvider;
  /** The form; empty where there was none. */
  readonly fields: Fields;
}

/** Runs an attempt. If it fails and the sign-in page shows that, the page will know what was tried. */
export async function rememberingFailure<T>(ctx: RequestContext, attempt: Attempt, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    await remember(ctx, attempt, thrown);
    throw thrown;
  }
}

async function remember(
  { config, cookies, request }: RequestContext,
  { provider, fields }: Attempt,
  thrown: unknown,
): Promise<void> {
  const error = asKnownError(thrown);
  const query = error && SHOWN.get(error.type);
  if (!query) return;
  // Pages of the application and scripts show errors in their own way.
  if (cookies.closed || config.pages.signIn || request.headers.has("x-auth-return-redirect")) return;
  const failure = { ...failureOf(provider, { error: query, fields }), cancelled: isCancelled(error.cause) };
  const seal = (claims: Failure) =>
    config.sealer.seal({ ...claims }, { salt: cookies.nameOf("failure"), maxAge: LIFETIME });
  const whole = await seal(failure);
  const sealed = whole.length <= LONGEST_COOKIE ? whole : await seal({ ...failure, values: {} });
  if (!cookies.closed) cookies.write("failure", sealed);
}

/** What the sign-in page shows of an attempt that failed. */
export function failureOf(
  provider: ResolvedProvider,
  { error, fields }: { readonly error: string; readonly fields: Fields },
): Failure {
  return { provider: provider.id, error, cancelled: false, values: Object.fromEntries(harmless(provider, fields)) };
}

const LIFETIME = 5 * 60;

/** Browsers drop a cookie of more than 4096 bytes, with its name and attributes. */
const LONGEST_COOKIE = 3800;

/**
 * The errors that the sign-in page shows at a form, or with the name of a provider, and what its query calls them. As in
 * the table of error_routes.ts, which is not imported: sharing it would split the code that every request loads.
 */
export const SHOWN: ReadonlyMap<string, string> = new Map([
  ["CredentialsSignin", "CredentialsSignin"],
  ["EmailSignInError", "EmailSignin"],
  ["OAuthCallbackError", "OAuthCallbackError"],
  ["OAuthAccountNotLinked", "OAuthAccountNotLinked"],
]);

/** How providers say that the person pressed "Cancel": the standard's way, and LinkedIn's. */
const CANCELLED: ReadonlySet<unknown> = new Set([
  ...["access_denied", "user_cancelled_login", "user_cancelled_authorize"],
]);

function isCancelled(cause: unknown): boolean {
  return isPlainObject(cause) && CANCELLED.has(cause.error);
}

/** The longest text that is kept. */
const LONGEST_TEXT = 256;

/** The most texts that are kept. */
const MOST_TEXTS = 4;

/** Types of inputs whose text may be shown again. */
const OPEN_TYPES: ReadonlySet<unknown> = new Set([undefined, "text", "email", "tel", "url", "search", "number"]);

/** Names and hints of fields that are secret although their type does not say so. */
const SECRET =
  /pass|pwd|pin|secret|code|token|otp|cvc|cvv|key|answer|cc-|mfa|2fa|recover|mnemonic|kennwort|contrase|senha|has[lł]o|wachtwoord|parol|[sş]ifre|парол|密码|パスワード|비밀번호|كلمة|סיסמ|पासवर्ड/i;

function harmless(provider: ResolvedProvider, fields: Fields): [string, string][] {
  const declared: readonly (readonly [string, CredentialField])[] = provider.type === "credentials"
    ? Object.entries(provider.credentials)
    : provider.type === "email"
    ? [["email", {}]]
    : [];
  return declared.flatMap(([name, field]) => {
    const value: unknown = fields[name];
    const isKept = typeof value === "string" && value !== "" && value.length <= LONGEST_TEXT && isOpen(name, field);
    return isKept ? [[name, value] satisfies [string, string]] : [];
  }).slice(0, MOST_TEXTS);
}

function isOpen(name: string, field: CredentialField): boolean {
  const attributes = new Map(Object.entries(field).map(([key, value]) => [key.toLowerCase(), value]));
  const words = [name, attributes.get("autocomplete"), attributes.get("label")].map((word) => String(word ?? ""));
  return OPEN_TYPES.has(attributes.get("type")) && !words.some((word) => SECRET.test(word));
}

/** Reads what failed before the sign-in page was opened with an error, once. */
export async function takeFailure(
  { config, cookies }: Pick<RequestContext, "config" | "cookies">,
  error: string | null,
): Promise<Failure | null> {
  const sealed = cookies.read("failure");
  if (sealed === undefined) return null;
  cookies.clear("failure");
  if (error === null) return null;
  const claims = await config.sealer.open(sealed, cookies.nameOf("failure"));
  if (!claims || claims.error !== error || typeof claims.provider !== "string") return null;
  if (!config.providers.has(claims.provider)) return null;
  const values = isPlainObject(claims.values) ? Object.entries(claims.values) : [];
  return {
    provider: claims.provider,
    error,
    cancelled: claims.cancelled === true,
    values: Object.fromEntries(values.filter((entry): entry is [string, string] => typeof entry[1] === "string")),
  };
}
