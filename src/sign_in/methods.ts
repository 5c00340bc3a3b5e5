/**
 * How a sign-in authenticated somebody.
 *
 * @module
 */
import type { AuthenticationMethod } from "../session_stores/authentication.ts";
import type { Authentication } from "../session_stores/session_store.ts";
import type { SignInAttempt, WebAuthnAttempt } from "./attempt.ts";

/** Gives the methods of a sign-in, in the order of the alphabet. */
export function methodsOf(attempt: SignInAttempt): readonly AuthenticationMethod[] {
  switch (attempt.method) {
    case "oauth":
      return ["fed"];
    case "email":
      return ["mail"];
    case "credentials":
      // `authorize` may check anything: what it is called with tells of passwords only.
      return attempt.hasPassword ? ["pwd"] : [];
    case "password":
      return ["pwd"];
    case "webauthn":
      return passkeyMethods(attempt);
    default:
      return attempt satisfies never;
  }
}

/** Adds what else was proven to what a session says of its sign-in. */
export function withMethods(authentication: Authentication, added: readonly string[]): Authentication {
  if (added.length === 0) return authentication;
  return { ...authentication, methods: [...new Set([...authentication.methods, ...added])].toSorted() };
}

/** Gives the methods of a proof by a passkey. */
export function passkeyMethods(
  { deviceType, userVerified }: Pick<WebAuthnAttempt, "deviceType" | "userVerified">,
): readonly AuthenticationMethod[] {
  // The user was present in any case. With the device, a PIN or a finger is a second factor.
  const factors = userVerified ? ["mfa", "user"] as const : ["user"] as const;
  // A synchronised key is where its software has put it.
  return deviceType === "singleDevice" ? ["hwk", ...factors] : [...factors.slice(0, -1), "swk", "user"];
}
