/**
 * Signing in with credentials, such as a password. The application checks them.
 *
 * @module
 */
import { withoutChallenge } from "../kernel/challenge_view.ts";
import type { RequestContext } from "../request/context.ts";
import { randomUuid } from "../crypto/random.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { CallbackRouteError, CredentialsSignin } from "../kernel/errors.ts";
import { once } from "../kernel/load.ts";
import { asKnownError } from "../kernel/known_errors.ts";
import type { User } from "../kernel/model.ts";
import { isPlainObject, kindOf } from "../kernel/objects.ts";
import { type Fields, requestWith } from "../http/body.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import type { Outcome } from "../request/outcome.ts";
import { mayGuess } from "../request/points.ts";
import type { ResolvedCredentialsProvider } from "../config/resolved_provider.ts";
import { completeSignIn } from "../sign_in/complete.ts";

/** Passwords that the service keeps. */
const own = once(() => import("./password.ts"));

/** What {@linkcode signInWithCredentials} needs. */
export interface CredentialsInput {
  readonly provider: ResolvedCredentialsProvider;
  /** The form. */
  readonly fields: Fields;
  /** Where the browser goes after the sign-in. */
  readonly redirectUrl: RedirectUrl;
}

/**
 * Calls `authorize` and completes the sign-in.
 *
 * @throws {CredentialsSignin} if `authorize` or a feature refuses, or returns something that is not a user.
 * @throws {Timeout} if `authorize` takes longer than `timeouts.authorize`.
 * @throws {CallbackRouteError} if `authorize` fails, or returns a user whose `id` is missing or was rounded.
 */
export async function signInWithCredentials(ctx: RequestContext, input: CredentialsInput): Promise<Outcome> {
  const { provider, fields, redirectUrl } = input;
  const { passwords } = provider;
  if (passwords) {
    const { signInWithPassword } = await own();
    return await signInWithPassword(ctx, { provider: { ...provider, passwords }, fields, redirectUrl });
  }
  const compared = await mayGuess(ctx, {
    kind: "credentials",
    provider: provider.id,
    subject: null,
    fields,
  });
  if (!compared) throw new CredentialsSignin("Cannot sign in: there were too many guesses; wait before the next one");
  const credentials = withoutChallenge(fields);
  const found = await authorize(ctx, provider, credentials);
  await compared(Boolean(found));
  const user = readUser(ctx, provider, found);
  const account = { provider: provider.id, providerAccountId: user.id, type: "credentials" as const };
  const hasPassword = Object.values(provider.credentials).some(({ type }) => type === "password");
  return await completeSignIn(
    ctx,
    { method: "credentials", user, account, credentials, hasPassword },
    redirectUrl,
  );
}

// It has a separate deadline: it may ask a slow directory, or compute a slow digest.
async function authorize(
  ctx: RequestContext,
  { authorize }: ResolvedCredentialsProvider,
  fields: Fields,
): Promise<unknown> {
  try {
    const { runtime, timeouts } = ctx.config;
    const run = () => {
      return withDeadline(runtime, timeouts.authorize, "`authorize`", () => {
        return authorize({ ...fields }, requestWith(ctx, fields));
      });
    };
    return await (ctx.deadline ? ctx.deadline.hold(run) : run());
  } catch (error) {
    const known = asKnownError(error);
    if (known) throw known;
    throw new CallbackRouteError("Cannot sign in: `authorize` failed", { cause: error, logCode: "callback-threw" });
  }
}

/**
 * Reads the user that `authorize` returned.
 *
 * @throws {CredentialsSignin} if it refused, or returned something that is not a user.
 * @throws {CallbackRouteError} if the id is missing although there is storage, or may have been rounded.
 */
function readUser(
  ctx: RequestContext,
  provider: ResolvedCredentialsProvider,
  found: unknown,
): User & { readonly id: string } {
  if (!found) throw new CredentialsSignin("Cannot sign in: `authorize` refused");
  if (!isUser(found)) {
    // The visitor sees a refused sign-in. The log reports a fault in the code of the application.
    throw new CredentialsSignin(
      `Cannot sign in: \`authorize\` returned ${
        nameOf(found)
      }, which is not a user. Return a plain object with \`id\`, ` +
        "such as `{ id, name, email }`, or `null` to refuse",
      { logCode: "callback-result" },
    );
  }
  return { ...found, id: readId(found.id) ?? makeId(ctx, provider) };
}

// The result of a library, such as `{ error }`, the response of a server, or an error does not identify a user.
function isUser(found: unknown): found is Omit<User, "id"> & { readonly id?: unknown } {
  if (!isPlainObject(found)) return false;
  if (readId(found.id) !== null) return true;
  return found.error === undefined && (isText(found.name) || isText(found.email));
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

/** The most names of members that a message shows, and the most characters of each. */
const MOST_NAMES = 6;
const LONGEST_NAME = 30;

// Names only: what the members hold may be secret.
function nameOf(found: unknown): string {
  if (typeof found === "boolean") return `\`${found}\``;
  if (typeof found !== "object" || found === null || Array.isArray(found)) return kindOf(found);
  if (!isPlainObject(found)) return instanceName(found);
  const names = Object.keys(found);
  if (names.length === 0) return "an empty object";
  const some = names.slice(0, MOST_NAMES).map((name) => `\`${name.slice(0, LONGEST_NAME)}\``);
  return `an object with ${some.join(", ")}${names.length > MOST_NAMES ? " and more" : ""}`;
}

function instanceName(found: object): string {
  const name: unknown = found.constructor?.name;
  return typeof name === "string" && name !== "" ? `an instance of \`${name.slice(0, LONGEST_NAME)}\`` : kindOf(found);
}

/** Providers whose users had no id: it is logged once, not at each sign-in. */
const warned = new WeakSet<ResolvedCredentialsProvider>();

// With storage, a user without an id would be a new user at every sign-in.
function makeId(ctx: RequestContext, provider: ResolvedCredentialsProvider): string {
  const { storage, logger, runtime } = ctx.config;
  if (storage) {
    throw new CallbackRouteError(
      "Cannot sign in: `authorize` returned a user without `id`. With `adapter`, return the id that your application " +
        "stores the user under",
    );
  }
  if (!warned.has(provider)) {
    warned.add(provider);
    logger.warn(
      "user-without-id",
      `\`authorize\` of provider "${provider.id}" returned a user without \`id\`: every sign-in gets another id. ` +
        "Return the id that your application knows the user by",
      ctx,
    );
  }
  return randomUuid(runtime);
}

function readId(id: unknown): string | null {
  if (typeof id === "string" && id !== "") return id;
  if (typeof id !== "number" || !Number.isFinite(id)) return null;
  if (Math.abs(id) <= Number.MAX_SAFE_INTEGER) return String(id);
  throw new CallbackRouteError(
    "Cannot sign in: `authorize` returned a user whose `id` is a number beyond 2^53, so it may have been rounded to " +
      "another user's. Read it as a string from your database and return that",
  );
}
