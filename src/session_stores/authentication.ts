/**
 * What a session says about the sign-in that it began with: in its row, in its claims, or in the cookie beside it.
 *
 * @module
 */
import type { SessionAuth } from "../contract/config.ts";
import type { AdapterSession, JWT } from "../kernel/model.ts";
import { isDate } from "../kernel/objects.ts";
import type { Requirement, StepUpPart } from "../kernel/requirement.ts";
import type { ActiveSession, Authentication, StoredSession } from "./session_store.ts";

/**
 * How somebody was authenticated. `hwk`, `mfa`, `otp`, `pwd`, `swk` and `user` are values of RFC 8176. That registry has no value
 * for another party that authenticated the person (`fed`), none for a mailbox that they can read (`mail`), and none
 * for a recovery code (`rcv`).
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc8176#section-2 | RFC 8176, section 2: values of `amr`}
 */
export type AuthenticationMethod = "fed" | "hwk" | "mail" | "mfa" | "otp" | "pwd" | "rcv" | "swk" | "user";

/** Gives what a session says about its sign-in. */
export function authenticationOf(active: ActiveSession): SessionAuth {
  return withLevel(active.strategy === "jwt" ? inClaims(active.claims) : inStorage(active));
}

/** Adds the level. One factor is level 1, and so is what is not known. */
export function withLevel({ time, methods, provider }: Authentication): SessionAuth {
  return { time, methods, level: methods.includes("mfa") ? 2 : 1, provider };
}

/** Whether somebody signed in at most so many seconds ago. An unknown time is never fresh, and neither is one to come. */
export function isFresh({ time }: Pick<SessionAuth, "time">, now: number, maxAge: number): boolean {
  const age = time === undefined ? Infinity : Math.floor(now / 1000) - time;
  return age <= maxAge && age >= -LEEWAY;
}

/** Gives what a sign-in lacks of what is asked. */
export function missingIn(
  auth: Pick<SessionAuth, "time" | "methods" | "level">,
  { level, maxAge, methods }: Requirement,
  now: number,
): readonly StepUpPart[] {
  const missing: StepUpPart[] = [];
  if (auth.level < level) missing.push("level");
  if (methodsMissingIn(auth, methods).length > 0) missing.push("methods");
  if (maxAge !== null && !isFresh(auth, now, maxAge)) missing.push("age");
  return missing;
}

/** Gives those of the methods that a sign-in was not done by. */
export function methodsMissingIn(
  auth: Pick<SessionAuth, "methods">,
  methods: Requirement["methods"],
): readonly string[] {
  return methods.filter((method) => !auth.methods.includes(method));
}

/** The time of a proof that is given now, in whole seconds: never before the address was verified. */
export function signInTime(emailVerified: unknown, now: number): number {
  const proven = isDate(emailVerified) && emailVerified.getTime() <= now ? emailVerified.getTime() : 0;
  return Math.max(Math.floor(now / 1000), Math.ceil(proven / 1000));
}

/** How far the clocks of two processes may differ, in seconds. */
const LEEWAY = 60;

/** The members of a row. */
export function toRow({ time, methods, provider }: Authentication): Partial<AdapterSession> {
  return { ...written(time, methods), ...(provider !== undefined && { provider }) };
}

/** The claims of a session. */
export function toClaims({ time, methods, provider }: Authentication): JWT {
  return { ...written(time, methods), ...(provider !== undefined && { auth_provider: provider }) };
}

function written(
  time: number | undefined,
  methods: readonly string[],
): Pick<AdapterSession, "auth_time" | "auth_methods"> {
  return {
    ...(time !== undefined && { auth_time: time }),
    ...(methods.length > 0 && { auth_methods: methods.join(" ") }),
  };
}

// Where rows have no columns for it, the cookie beside the session says it.
function inStorage({ session: { auth_time, auth_methods, provider }, signedIn }: StoredSession): Authentication {
  const row = readAuthentication(auth_time, auth_methods, provider);
  const methods = row.methods.length > 0 ? row.methods : signedIn?.methods ?? [];
  return { time: row.time ?? signedIn?.time, methods, provider: row.provider ?? signedIn?.provider };
}

function inClaims({ auth_time, auth_methods, auth_provider }: JWT): Authentication {
  return readAuthentication(auth_time, auth_methods, auth_provider);
}

/** Reads what was kept: claims come from cookies of any version, and rows from any adapter. */
export function readAuthentication(time: unknown, methods: unknown, provider: unknown): Authentication {
  return {
    time: typeof time === "number" && Number.isFinite(time) ? time : undefined,
    methods: typeof methods === "string" && methods !== "" ? methods.split(" ") : [],
    provider: typeof provider === "string" && provider !== "" ? provider : undefined,
  };
}

/** The claims that no callback changes. */
const OWN = ["auth_session", "auth_time", "auth_methods", "auth_provider"] as const;

/**
 * Gives the claims that a callback returned, with the row and the sign-in of those that it was given. It may have forgotten
 * them, or taken others from the client.
 */
export function withOwnClaims(chosen: JWT, given: JWT): JWT {
  if (OWN.every((name) => chosen[name] === given[name])) return chosen;
  const claims: JWT = { ...chosen };
  for (const name of OWN) {
    if (given[name] === undefined) delete claims[name];
    else claims[name] = given[name];
  }
  return claims;
}
