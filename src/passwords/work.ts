/**
 * The work of comparing a password, which is the same whether there is one or not.
 *
 * @module
 */
import { toHex } from "../crypto/encoding.ts";
import { builtInHash, defaultConcurrency, queued, unmatchableHash } from "../hashing/mod.ts";
import type { HashVerdict, PasswordHash } from "../hashing/password_hash.ts";
import { AdapterError, AuthError, InvalidConfig, Overloaded } from "../kernel/errors.ts";
import { kindOf } from "../kernel/objects.ts";
import type { Runtime } from "../kernel/runtime.ts";
import { withLegacy } from "./legacy.ts";
import type { PasswordSettings } from "./settings.ts";

type HashSettings = Pick<PasswordSettings, "hash" | "legacy" | "concurrency">;
type Random = Pick<Runtime, "random">;

/**
 * Gives what makes and compares hashes. They wait for each other.
 *
 * @throws {Overloaded} from its functions, if too many others wait.
 * @throws {InvalidConfig} from them, if what a developer has chosen makes no text.
 */
export function passwordHash({ hash, legacy, concurrency }: HashSettings, runtime: Random): PasswordHash {
  return queued(withLegacy(hash ? checked(hash) : builtInHash(runtime), legacy), concurrency ?? defaultConcurrency());
}

// What is stored in place of a hash would be a password that nobody has.
function checked(hash: PasswordHash): PasswordHash {
  return {
    verify: (text, stored) => hash.verify(text, stored),
    async make(text) {
      const made: unknown = await hash.make(text);
      if (typeof made === "string" && made !== "") return made;
      throw new InvalidConfig(
        `Cannot hash a password: \`hash.make\` of provider "password" returned ${
          kindOf(made)
        }, and must return the hash`,
      );
    },
  };
}

/** What came of comparing a password with what is stored. */
export interface Compared {
  readonly verdict: HashVerdict;
  /** Why the stored hash could not be compared, for the log. The password counts as wrong. */
  readonly error: AuthError | null;
}

/**
 * Compares a password with a stored hash; without one, with a hash that no password has. What cannot be compared, or is of
 * another software, costs that, too.
 *
 * @param stored The hash; `null` if there is none.
 * @throws {Overloaded} if too many others wait.
 * @throws {InvalidConfig} if the runtime cannot hash at all.
 */
export async function comparePassword(
  settings: HashSettings,
  runtime: Random,
  { text, stored }: { readonly text: string; readonly stored: string | null },
): Promise<Compared> {
  const hash = passwordHash(settings, runtime);
  const dummy = dummyOf(settings, hash, runtime);
  // Made for everybody: the first stranger who guesses would learn whether it was needed.
  await Promise.allSettled([dummy]);
  const pretend = async () => void await hash.verify(text, await dummy);
  if (stored === null) {
    await pretend();
    return WRONG;
  }
  const compared = await compare(hash, text, stored);
  // Other software may have made hashes that cost next to nothing.
  if (compared.error || settings.legacy.some((format) => format.matches(stored))) await pretend();
  return compared;
}

const WRONG: Compared = { verdict: "no", error: null };

async function compare(hash: PasswordHash, text: string, stored: string): Promise<Compared> {
  try {
    const verdict: unknown = await hash.verify(text, stored);
    // Nothing else counts as right: a library may answer with an object.
    return { verdict: verdict === "yes" || verdict === "weak" ? verdict : "no", error: null };
  } catch (cause) {
    if (cause instanceof Overloaded) throw cause;
    const error = cause instanceof AuthError
      ? cause
      : new AdapterError("Cannot compare a password with its stored hash: it could not be computed", { cause });
    return { verdict: "no", error };
  }
}

/** Hashes of passwords that nobody knows, made by what a developer has chosen. */
const dummies = new WeakMap<PasswordHash, Promise<string>>();

async function dummyOf({ hash: own }: HashSettings, hash: PasswordHash, runtime: Random): Promise<string> {
  if (!own) return await unmatchableHash(runtime);
  const known = dummies.get(own) ?? Promise.resolve(hash.make(toHex(runtime.random(new Uint8Array(32)))));
  dummies.set(own, known);
  try {
    return await known;
  } catch (error) {
    // The next one tries again.
    dummies.delete(own);
    throw error;
  }
}
