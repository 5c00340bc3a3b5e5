/**
 * Whether what `authorize` returned is a user.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import type { ResolvedCredentialsProvider } from "../config/resolved_provider.ts";
import { randomUuid } from "../crypto/random.ts";
import { CallbackRouteError, CredentialsSignin } from "../kernel/errors.ts";
import type { User } from "../kernel/model.ts";
import { isPlainObject } from "../kernel/objects.ts";
import { kindOf } from "../kernel/shown.ts";

/**
 * Reads the user that `authorize` returned.
 *
 * @throws {CredentialsSignin} if it refused, or returned something that is no user.
 * @throws {CallbackRouteError} if the id is missing although there is storage, or may have been rounded.
 */
export function readUser(
  ctx: RequestContext,
  provider: ResolvedCredentialsProvider,
  found: unknown,
): User & { readonly id: string } {
  if (!found) throw new CredentialsSignin("Cannot sign in: `authorize` refused");
  if (!isUser(found)) {
    // A form that was refused, for the visitor. For the log it is a fault: code of the application has to be mended.
    throw new CredentialsSignin(
      `Cannot sign in: \`authorize\` returned ${nameOf(found)}, which is no user. Return a plain object with \`id\`, ` +
        "such as `{ id, name, email }`, or `null` to refuse",
      { logCode: "callback-result" },
    );
  }
  return { ...found, id: readId(found.id) ?? makeId(ctx, provider) };
}

// A result of a library, such as `{ error }`, an answer of a server or an error does not say who signs in.
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

/** Providers whose users had no id: one line of the log says so, not one for each sign-in. */
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
      `\`authorize\` of provider "${provider.id}" returned a user without \`id\`: every sign-in gets an id of its own. ` +
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
