/**
 * The ways of signing in as the page lists them: their order, which of them share a field, and which is the primary one.
 *
 * @module
 */
import type { Page, SignInMethod } from "../request/outcome.ts";

/** A way of signing in with fields of its own. */
export type MethodWithFields = Extract<SignInMethod, { type: "credentials" | "webauthn" }>;

/** A way of signing in that needs a script. */
export type PasskeyMethod = Extract<SignInMethod, { type: "webauthn" }>;

/** A way of signing in at its place on the page. */
export interface ListedMethod {
  readonly method: SignInMethod;
  /** Its place in the configuration, which its colours go by. */
  readonly index: number;
  /** What it looks like: a form with fields, or a button alone. */
  readonly shape: "form" | "button";
  /** Whether its button is the one that the eye should find first. */
  readonly isPrimary: boolean;
  /** Whether a line stands before it. */
  readonly isApart: boolean;
  /** The passkeys that the browser offers in the email field of this form. */
  readonly passkey: PasskeyMethod | null;
  /** Whether it uses the email field of another form. */
  readonly isGuest: boolean;
}

/** Whether a way of signing in has a form, and not a button of a provider alone. */
export function hasFields({ type }: SignInMethod): boolean {
  return type === "credentials" || type === "email" || type === "webauthn";
}

type SignIn = Extract<Page, { name: "signin" }>;

/** Lists the ways of signing in. Forms keep their places among the buttons, and those with a password go last. */
export function listMethods({ methods, purpose }: SignIn): readonly ListedMethod[] {
  const guest = purpose === "add-passkey" ? null : guestOf(methods);
  const forms = methods.filter(hasFields).sort((one, other) => rankOf(one) - rankOf(other));
  const ordered = methods.map((method) => hasFields(method) ? forms.shift() ?? method : method);
  const shapes = ordered.map((method) => shapeOf(method, guest, purpose));
  const first = shapes.indexOf("form");
  return ordered.map((method, place) => ({
    method,
    index: methods.indexOf(method),
    shape: shapes[place] ?? "button",
    isPrimary: place === first || (first < 0 && purpose === "add-passkey"),
    // What uses the field above belongs to it.
    isApart: place > 0 && method !== guest &&
      (shapes[place] === "form" || hasFormBefore(shapes, ordered, place, guest)),
    passkey: method.type === "email" ? guest : null,
    isGuest: method === guest,
  }));
}

function hasFormBefore(
  shapes: readonly ListedMethod["shape"][],
  ordered: readonly SignInMethod[],
  place: number,
  guest: SignInMethod | null,
): boolean {
  return shapes[place - 1] === "form" || (guest !== null && ordered[place - 1] === guest);
}

const RANKS: readonly SignInMethod["type"][] = ["email", "webauthn", "credentials"];

function rankOf({ type }: SignInMethod): number {
  return RANKS.indexOf(type);
}

/** Finds the passkeys that need no field of their own, because the page has a form for an address. */
function guestOf(methods: readonly SignInMethod[]): PasskeyMethod | null {
  const passkeys = methods.filter((method) => method.type === "webauthn");
  const [only] = passkeys;
  const isAlone = passkeys.length === 1 && methods.filter(({ type }) => type === "email").length === 1;
  return only && isAlone && asksForAddressAlone(only) ? only : null;
}

function asksForAddressAlone({ fields }: PasskeyMethod): boolean {
  return Object.keys(fields).join() === "email";
}

function shapeOf(method: SignInMethod, guest: SignInMethod | null, purpose: SignIn["purpose"]): ListedMethod["shape"] {
  if (method.type !== "webauthn") return hasFields(method) ? "form" : "button";
  return method !== guest && needsFields(method, purpose) ? "form" : "button";
}

/** Whether a field of a passkey form is used. The address of somebody who is signed in is known. */
export function needsFields(method: PasskeyMethod, purpose: SignIn["purpose"]): boolean {
  if (purpose === "add-passkey") return false;
  const { autofill, registers, listsByEmail } = method;
  return autofill || registers || listsByEmail || !asksForAddressAlone(method);
}
