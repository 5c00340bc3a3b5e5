/** @jsxImportSource preact */
/**
 * The inputs of a form: those that the configuration describes, and the email field.
 *
 * @module
 */
import type { ComponentChildren, JSX, VNode } from "preact";
import type { MethodWithFields, PasskeyMethod } from "./method_list.ts";
import { FORM_STATE } from "./parts.tsx";
import type { SignInMethod } from "../request/outcome.ts";
import { ANY_DIGIT } from "../kernel/digits.ts";
import type { CredentialField } from "../contract/provider.ts";
import { TEXTS as ENGLISH } from "../texts/en.ts";
import type { Texts } from "../texts/texts.ts";

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

/** What the inputs of a page have in common. */
export interface InputContext {
  readonly texts: Texts;
  /** The address of the query. */
  readonly email: string | null;
  readonly uniqueId: IdMaker;
  /** What was typed before, by the names of the fields. */
  readonly values: Readonly<Record<string, string>>;
  /** The id of the error that stands at this form. */
  readonly errorId: string | undefined;
}

interface MethodFields {
  readonly method: MethodWithFields;
  readonly context: InputContext;
  /** What stands at the first field for a password. */
  readonly atPassword?: VNode | undefined;
}

/** One labelled input for each field of a form. */
export function InputFields({ method, context, atPassword }: MethodFields): VNode {
  const taken = method.type === "webauthn" ? PASSKEY_STATE : FORM_STATE;
  const fields = Object.entries(method.fields).filter(([key]) => !taken.has(key));
  const filled = fields.map(([key, field]) => [key, field, withValue(key, field, context)] as const);
  const [secret] = filled.map(([, , attributes]) => attributes).filter(({ type }) => type === "password");
  const focus = context.errorId === undefined ? undefined : fieldToFocus(filled.map(([, , attributes]) => attributes));
  return (
    <>
      {filled.map(([key, field, attributes]) => {
        const id = context.uniqueId(`input-${key}-for-${method.id}-provider`);
        const isTick = TICKS.has(attributes.type);
        const isHidden = attributes.type === "hidden";
        const input = (
          <Input
            {...attributes}
            {...!isTick && !isHidden && errorAttributes(context, attributes, attributes === focus)}
            {...{ id, name: key, "data-form-field": actionsOf(method) }}
          />
        );
        if (isHidden) return input;
        const isSecret = attributes.type === "password";
        return (
          <div class={isTick ? "field tick" : "field"}>
            <label for={id}>{labelOf(key, field, context.texts)}</label>
            {isSecret ? <Secret texts={context.texts}>{input}</Secret> : input}
            {attributes === secret && atPassword}
          </div>
        );
      })}
    </>
  );
}

interface SecretInput {
  readonly texts: Texts;
  readonly children: ComponentChildren;
}

/** What is around the field for a password. The script of such fields puts a button into it that shows what was typed. */
export function Secret({ texts, children }: SecretInput): VNode {
  return <span class="secret" data-show={texts.showPassword}>{children}</span>;
}

/** Whether one of the fields is for a password. */
export function hasSecret(fields: MethodWithFields["fields"]): boolean {
  return Object.entries(fields).some(([key, field]) => inputAttributes(key, field, null).type === "password");
}

// Preact has a type for each attribute. Those of a configuration are checked by `safeAttributes`.
function Input(attributes: Readonly<Record<string, string | boolean | undefined>>): VNode {
  return <input {...attributes as JSX.IntrinsicElements["input"]} />;
}

function withValue(key: string, field: CredentialField, { email, values }: InputContext): Attributes {
  const attributes = inputAttributes(key, field, email);
  const typed = Object.hasOwn(values, key) && attributes.type !== "password" ? values[key] : undefined;
  return typed === undefined ? attributes : { ...attributes, value: typed };
}

/** After an error the next thing to type is what is still empty, such as the password. */
function fieldToFocus(fields: readonly Attributes[]): Attributes | undefined {
  const typed = fields.filter(({ type }) => type !== "hidden" && !TICKS.has(type));
  return typed.find(({ value }) => !value) ?? typed[0];
}

function errorAttributes({ errorId }: InputContext, attributes: Attributes, isFocused: boolean): Attributes {
  if (errorId === undefined) return {};
  const described = attributes["aria-describedby"];
  return {
    "aria-invalid": "true",
    "aria-describedby": typeof described === "string" ? `${errorId} ${described}` : errorId,
    ...(isFocused && { autofocus: true }),
  };
}

/** The actions of a passkey form that the script sends its fields for. */
function actionsOf(method: SignInMethod): string | undefined {
  if (method.type !== "webauthn") return undefined;
  return method.listsByEmail ? "register authenticate" : "register";
}

/** A passkey form has two more fields, which its script fills in. */
const PASSKEY_STATE: ReadonlySet<string> = new Set([...FORM_STATE, "action", "data"]);

interface EmailInput {
  readonly id: string;
  /** The passkeys that the browser offers in it. */
  readonly passkey: PasskeyMethod | null;
  readonly context: InputContext;
}

/** The input for the email address that a link is sent to, and that passkeys are offered in. */
export function EmailField({ id, passkey, context }: EmailInput): VNode {
  const { texts, uniqueId } = context;
  const hintId = uniqueId(`hint-for-${id}`);
  const field: CredentialField = {
    type: "email",
    placeholder: texts.emailPlaceholder,
    required: true,
    "aria-describedby": hintId,
    ...(passkey?.autofill && { autocomplete: "username webauthn" }),
  };
  const attributes = withValue("email", field, context);
  return (
    <div class="field">
      <label for={id}>{texts.email}</label>
      <Input
        {...attributes}
        {...errorAttributes(context, attributes, true)}
        {...{ id, name: "email", "data-form-field": passkey ? actionsOf(passkey) : undefined }}
      />
      <p class="hint" id={hintId}>{texts.emailHint}</p>
    </div>
  );
}

interface CodeInput {
  readonly label: ComponentChildren;
  /** What is typed: the digits of a code that changes, a recovery code, or the end of one. */
  readonly kind: "digits" | "recovery" | "ending";
  /** The id of the error that stands at the form. */
  readonly errorId?: string | undefined;
}

/** Spaces between digits are read over, and keyboards of some languages have digits of their own. */
const CODE_INPUTS: Readonly<Record<CodeInput["kind"], Attributes>> = {
  digits: {
    autocomplete: "one-time-code",
    inputmode: "numeric",
    pattern: `(\\s*${ANY_DIGIT}){6}\\s*`,
    maxlength: "12",
  },
  // No password manager should keep it: it works once.
  recovery: { autocomplete: "off", autocapitalize: "characters", maxlength: "64" },
  ending: { autocomplete: "off", autocapitalize: "characters", maxlength: "64" },
};

const CODE: Attributes = {
  ...{ id: "code", name: "code", type: "text", class: "code", dir: "ltr", required: true },
  ...{ autocorrect: "off", spellcheck: "false" },
};

/** The input for a code. The focus is on it only after an error, as with every input. */
export function CodeField({ label, kind, errorId }: CodeInput): VNode {
  const isWrong = errorId !== undefined;
  return (
    <div class="field">
      <label for="code">{label}</label>
      <Input
        {...CODE}
        {...CODE_INPUTS[kind]}
        {...isWrong && { "aria-invalid": "true", "aria-describedby": errorId, autofocus: true }}
      />
    </div>
  );
}

interface TickInput {
  readonly name: string;
  readonly label: ComponentChildren;
  /** The id of what says more about it. */
  readonly hintId?: string;
}

/** A box to tick. */
export function TickField({ name, label, hintId }: TickInput): VNode {
  return (
    <div class="field tick">
      <label for={name}>{label}</label>
      <input id={name} name={name} type="checkbox" value="1" aria-describedby={hintId} />
    </div>
  );
}

/** Names of fields that have a text of their own. */
const KNOWN_LABELS = ["email", "username", "password"] as const;

/** Chooses the text of an input's label. A label that is our English one is shown in the language of the page. */
export function labelOf(key: string, { label }: CredentialField, texts: Texts): string {
  const own = typeof label === "string" && label ? label : key;
  const known = KNOWN_LABELS.find((name) => own === ENGLISH[name] || (!label && key === name));
  return known ? texts[known] : own;
}

const TICKS: ReadonlySet<unknown> = new Set(["checkbox", "radio"]);

/** Attributes that run or load something, lead elsewhere, are used by the page, or are not attributes of an input. */
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
      return [[attribute, typeof value === "number" || IN_WORDS.test(attribute) ? String(value) : value]];
    }),
  );
}

/** Attributes that say `true` and `false` in words. Others say it by being there or not. */
const IN_WORDS = /^(?:(?:aria|data)-|draggable$|spellcheck$)/;

function isSafe(attribute: string): boolean {
  return /^[a-z-]+$/.test(attribute) && !attribute.startsWith("on") && !REFUSED.has(attribute);
}

// A configuration may come from JSON.
function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
