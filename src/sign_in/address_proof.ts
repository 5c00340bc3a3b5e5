/**
 * The proof that somebody reads the mail of an address: a token that was sent there, which works once and for one purpose.
 *
 * Storage has the hash of the token in a row of Auth.js's table of verification tokens, so proofs work with every adapter.
 *
 * @module
 */
import type { Plan } from "../contract/adapter.ts";
import { sameText, sha256Hex } from "../crypto/digest.ts";
import { randomHex } from "../crypto/random.ts";
import { Verification } from "../kernel/errors.ts";
import type { RequestContext } from "../request/context.ts";
import type { Storage } from "../storage/guard.ts";

const PURPOSES = [
  ...["sign-in", "reset", "confirm", "change", "invite", "delete", "second-factor", "factor-undo"] as const,
  ...["email-new", "email-former", "account-undo"] as const,
] as const;

/** What a token is good for: to sign in, or to do one thing to one subject. */
export type ProofPurpose = typeof PURPOSES[number];

/** What a token is about. */
export interface ProofSubject {
  readonly purpose: ProofPurpose;
  /** The address, or whatever else the purpose is about. */
  readonly subject: string;
  /** Id of the email provider whose path the link has. Only sign-ins have one. */
  readonly provider?: string | undefined;
}

/** A token as somebody brings it back. */
export interface AddressProof extends ProofSubject {
  /** The hashes that it may be stored under. New tokens are stored under the first. */
  readonly hashes: readonly string[];
}

/** A token to store. */
export interface NewProof extends ProofSubject {
  /** The token. @default 64 random hexadecimal digits */
  readonly token?: string | undefined;
  /** What is hashed with the token, newest first. @default the secrets of the service */
  readonly secrets?: readonly string[] | undefined;
  readonly expires: Date;
}

/** Gives the proof that a sign-in link is. */
export function signInProof(
  { provider, identifier, hashes }: {
    readonly provider?: string;
    readonly identifier: string;
    readonly hashes: readonly string[];
  },
): AddressProof {
  return { purpose: "sign-in", subject: identifier, provider, hashes };
}

/**
 * Gives the identifier that a token is stored under. No two pairs of purpose and subject have the same one.
 *
 * A sign-in is stored under the bare address, as Auth.js does it. `normalizeIdentifier` of an application may return any
 * text, so one that looks like another purpose gets a prefix as well.
 */
export function identifierOf({ purpose, subject }: ProofSubject): string {
  const isBare = purpose === "sign-in" && !PURPOSES.some((other) => subject.startsWith(`${other}:`));
  return isBare ? subject : `${purpose}:${subject}`;
}

/** Computes the hashes that a token may be stored under. */
export async function hashToken(secrets: readonly string[], token: string): Promise<readonly string[]> {
  // Auth.js joins a list of secrets with commas when it hashes.
  const keys = secrets.length > 1 ? [...secrets, secrets.join(",")] : secrets;
  return await Promise.all(keys.map((secret) => sha256Hex(token + secret)));
}

/** Stores a new token. Send it afterwards, so that it works as soon as it arrives. */
export async function issueProof(
  { runtime, secrets: own }: RequestContext["config"],
  storage: Storage,
  { purpose, subject, provider, expires, token = randomHex(runtime), secrets = own }: NewProof,
): Promise<{ readonly token: string; readonly proof: AddressProof }> {
  const proof = { purpose, subject, provider, hashes: await hashToken(secrets, token) };
  const [hash = ""] = proof.hashes;
  await storage.createVerificationToken({ identifier: identifierOf(proof), token: hash, expires });
  return { token, proof };
}

/** Removes a token, whoever has it: it was not sent, or was guessed at too often. */
export async function withdrawProof(storage: Storage, proof: AddressProof): Promise<void> {
  const [hash = ""] = proof.hashes;
  await storage.useVerificationToken({ identifier: identifierOf(proof), token: hash });
}

/** Seconds in which a link that failed may be opened again. */
const RETRY = 60 * 60;

/** Gives a token back that was used up, and nothing came of it. */
export async function restoreProof(
  { config: { runtime } }: Pick<RequestContext, "config">,
  storage: Storage,
  proof: AddressProof,
): Promise<void> {
  const [token = ""] = proof.hashes;
  const expires = new Date(runtime.now() + RETRY * 1000);
  await storage.createVerificationToken({ identifier: identifierOf(proof), token, expires });
}

/**
 * Makes sure that a token exists and has not expired.
 *
 * If storage can use it up together with what it proves, the token is only read, so that the link survives a failure.
 * Otherwise it is used up here.
 *
 * @returns What the plan has to use up; `null` if the token is used up already.
 * @throws {Verification} if the token does not exist or has expired.
 */
export async function checkProof(storage: Storage, proof: AddressProof, now: Date): Promise<Plan["consume"] | null> {
  const read = storage.commit ? storage.getVerificationToken : null;
  const identifier = await assertToken(read ?? storage.useVerificationToken, proof, now);
  return read ? { identifier, tokens: proof.hashes, now } : null;
}

/**
 * Decides what opening a link does. In the browser that requested it, the link acts. In any other, show a page with the
 * address and a button: spam filters open links too, and the visitor may have been sent the link of another person.
 *
 * @returns What this browser requested: act. `null`: show the page.
 * @throws {Verification} if the page would lead nowhere: the token does not exist or has expired. Unknown where storage
 * cannot read a token without using it up.
 */
export async function openProof(
  ctx: BrowserContext,
  storage: Storage,
  proof: AddressProof,
): Promise<RequestedProof | null> {
  const requested = await findRequested(ctx, proof);
  if (requested && isRequested(proof, requested)) return requested;
  await assertWorks(ctx, storage, proof);
  return null;
}

/**
 * Makes sure that a token exists and has not expired, and leaves it as it is.
 *
 * @returns Whether that is known: not every storage can read a token without using it up.
 * @throws {Verification} if it does not exist or has expired.
 */
export async function assertWorks(
  { config }: Pick<RequestContext, "config">,
  storage: Pick<Storage, "getVerificationToken" | "useVerificationToken">,
  proof: AddressProof,
): Promise<boolean> {
  const { getVerificationToken } = storage;
  if (!getVerificationToken) return false;
  await assertToken(getVerificationToken, proof, new Date(config.runtime.now()));
  return true;
}

// Gives the identifier as the row has it: an international domain can be spelled in two ways.
async function assertToken(find: Storage["useVerificationToken"], proof: AddressProof, now: Date): Promise<string> {
  const identifier = identifierOf(proof);
  for (const hash of proof.hashes) {
    const found = await find({ identifier, token: hash });
    if (!found) continue;
    if (found.expires <= now) break;
    return found.identifier;
  }
  throw new Verification("Cannot use link: it was used before, has expired, or was never sent");
}

type BrowserContext = Pick<RequestContext, "config" | "cookies">;

/** A token that this browser requested, read from its cookie. */
export interface RequestedProof {
  /** The hash that the token is stored under. */
  readonly hash: string;
  /** When the cookie expires, in seconds since 1970. */
  readonly exp: number;
  /** The random half of the token, if a code was sent. */
  readonly suffix?: string;
  /** Id of the passkey provider, if the link was requested to register. */
  readonly registers?: string;
  /** What was chosen with the address, if the link was requested to register with a password. */
  readonly registration?: Registration;
}

/**
 * What somebody has chosen who registers with a password. Only the browser that began has it, so nobody else can make an
 * address have it, and nothing is stored of people who never open the link.
 */
export interface Registration {
  /** The hash of the password. */
  readonly hash: string;
  readonly name: string | null;
  /** Which browser it is: another one may have been given its cookie. */
  readonly browser: string;
}

/** Remembers in a cookie that this browser requested a token. The cookie expires with the token. */
export async function rememberRequested(
  { config, cookies }: BrowserContext,
  { purpose, subject: identifier, provider, hashes: [hash] }: AddressProof,
  { maxAge, suffix, registers, registration }: {
    readonly maxAge: number;
    readonly suffix?: string | undefined;
    readonly registers?: string | undefined;
    readonly registration?: Registration | undefined;
  },
): Promise<void> {
  const claims = {
    provider,
    identifier,
    hash,
    ...(purpose !== "sign-in" && { purpose }),
    ...(suffix && { suffix }),
    ...(registers && { registers }),
    ...(registration && { password: registration.hash, name: registration.name, browser: registration.browser }),
  };
  cookies.write("email", await config.sealer.seal(claims, { salt: cookies.nameOf("email"), maxAge }), { maxAge });
}

/** Reads which token about this subject this browser requested last; `null` if there is none. */
export async function findRequested(
  { config, cookies }: BrowserContext,
  { purpose, subject, provider }: ProofSubject,
): Promise<RequestedProof | null> {
  const sealed = cookies.read("email");
  const claims = sealed ? await config.sealer.open(sealed, cookies.nameOf("email")) : null;
  if (!claims || claims.provider !== provider || claims.identifier !== subject) return null;
  if ((claims.purpose ?? "sign-in") !== purpose) return null;
  const { hash, suffix, exp, registers, password, name, browser } = claims;
  if (typeof hash !== "string" || typeof exp !== "number") return null;
  return {
    hash,
    exp,
    ...(typeof suffix === "string" && { suffix }),
    ...(typeof registers === "string" && { registers }),
    ...(typeof password === "string" && typeof browser === "string" && {
      registration: { hash: password, name: typeof name === "string" ? name : null, browser },
    }),
  };
}

/** Whether a token is the one that this browser requested. */
export function isRequested({ hashes }: Pick<AddressProof, "hashes">, requested: RequestedProof): boolean {
  return hashes.some((hash) => sameText(hash, requested.hash));
}
