/**
 * The inputs of a form: those that the configuration describes, and the email field.
 *
 * @module
 */
import { FORM_STATE } from "./layout.tsx";
import type { VNode } from "preact";
import type { SignInMethod } from "../request/outcome.ts";
import type { CredentialField } from "../contract/provider.ts";

/** A way of signing in with fields of its own. */
export type MethodWithFields = Extract<SignInMethod, { type: "credentials" | "webauthn" }>;

/** Attributes of an input by their names in lower case. */
export type Attributes = Readonly<Record<string, string | boolean>>;

/** Makes an id that no other element of the page has: the wanted one, or the wanted one with a number. */
export type IdMaker = (wanted: string) => string;

/** Creates the {@linkcode IdMaker} of one page. */
export function idMaker(): IdMaker {
  const taken = new Set<string>();
  return (wanted) => {
    let id = wanted;
    for (let copy = 2; taken.has(id); copy++) id = `${wanted}-${copy}`;
    taken.add(id);
    return id;
  };
}

/** Renders one labelled input for each field. */
export function InputFields(
  { method, email, uniqueId }: {
    readonly method: MethodWithFields;
    readonly email: string | null;
    readonly uniqueId: IdMaker;
  },
): VNode {
  const taken = method.type === "webauthn" ? PASSKEY_STATE : FORM_STATE;
  const fields = Object.entries(method.fields).filter(([key]) => !taken.has(key));
  return (
    <>
      {fields.map(([key, field]) => {
        const id = uniqueId(`input-${key}-for-${method.id}-provider`);
        const attributes = inputAttributes(key, field, email);
        const input = <input {...attributes} id={id} name={key} data-form-field={actionsOf(method)} />;
        if (attributes.type === "hidden") return input;
        return (
          <div class={TICKS.has(attributes.type) ? "field tick" : "field"}>
            <label for={id}>{labelOf(key, field)}</label>
            {input}
          </div>
        );
      })}
    </>
  );
}

/** The actions of a passkey form that the script sends its fields for. */
function actionsOf(method: MethodWithFields): string | undefined {
  if (method.type !== "webauthn") return undefined;
  return method.listsByEmail ? "register authenticate" : "register";
}

/** A passkey form has two more fields, which its script fills in. */
const PASSKEY_STATE: ReadonlySet<string> = new Set([...FORM_STATE, "action", "data"]);

/** Renders the input for the email address that a link is sent to. */
export function EmailField(
  { method, email, uniqueId }: {
    readonly method: SignInMethod;
    readonly email: string | null;
    readonly uniqueId: IdMaker;
  },
): VNode {
  const id = uniqueId(`input-email-for-${method.id}-provider`);
  return (
    <div class="field">
      <label for={id}>Email</label>
      <input {...inputAttributes("email", EMAIL, email)} id={id} name="email" />
    </div>
  );
}

const EMAIL: CredentialField = { type: "email", placeholder: "you@example.com", required: true };

/** Chooses the text of an input's label. */
export function labelOf(key: string, { label }: CredentialField): string {
  return typeof label === "string" && label ? label : key;
}

const TICKS: ReadonlySet<unknown> = new Set(["checkbox", "radio"]);

/** Attributes that run or load something, lead elsewhere, or are used by the page or by preact. */
const REFUSED: ReadonlySet<string> = new Set([
  ...["style", "src", "srcdoc", "srcset", "form", "formaction", "formenctype", "formmethod", "formtarget"],
  ...["children", "dangerouslysetinnerhtml", "id", "is", "key", "label", "name", "ref"],
]);

const AUTOCOMPLETE: ReadonlyMap<unknown, string> = new Map([["username", "username"], ["email", "email"]]);

/** Chooses the attributes of an input: defaults that fit the field, then what the configuration gives. */
export function inputAttributes(key: string, field: CredentialField, email: string | null): Attributes {
  const given = safeAttributes(field);
  const type = given.type ?? "text";
  const autocomplete = type === "password" ? "current-password" : AUTOCOMPLETE.get(key) ?? AUTOCOMPLETE.get(type);
  const prefilled = email !== null && key === "email" && type !== "password" ? { value: email } : {};
  return { ...(autocomplete && { autocomplete }), ...given, type, ...prefilled };
}

function safeAttributes(field: CredentialField): Attributes {
  return Object.fromEntries(
    Object.entries(field).flatMap(([name, value]) => {
      const attribute = name.toLowerCase();
      if (!isSafe(attribute) || !isPlain(value)) return [];
      return [[attribute, typeof value === "number" ? String(value) : value]];
    }),
  );
}

function isSafe(attribute: string): boolean {
  return /^[a-z-]+$/.test(attribute) && !attribute.startsWith("on") && !REFUSED.has(attribute);
}

// A configuration may come from JSON. preact could take an object for an element or for markup.
function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
