/**
 * The sign-in page: a button or a form for each way of signing in.
 *
 * @module
 */
import { type Badge, badgeOf, type Scheme } from "./brand.ts";
import { type ShownError, signInError } from "./errors.ts";
import { emailField, idMaker, type InputContext, inputFields } from "./fields.ts";
import { icon, mark } from "./icons.ts";
import { postForm, siteLink, stateFields } from "./layout.ts";
import { attributes, type Content, type Markup, markup } from "./markup.ts";
import { hasFields, type ListedMethod, listMethods, needsFields } from "./method_list.ts";
import { passkeyParts } from "./passkey.ts";
import { filled, providerText } from "./words.ts";
import type { Page, SignInMethod } from "../request/outcome.ts";
import type { Texts, Wording } from "../texts/texts.ts";

export { hasFields };

type SignIn = Extract<Page, { name: "signin" }>;

/** Chooses the heading of the page, by the name of its text. */
export function headingOf({ purpose }: SignIn): keyof Texts {
  return purpose === "confirm" ? "confirmTitle" : purpose === "add-passkey" ? "addPasskeyTitle" : "signInTitle";
}

/** What every part of the page needs. */
interface Parts {
  readonly page: SignIn;
  /** The hidden fields of each form. */
  readonly state: Content;
  readonly scheme: Scheme;
  readonly words: Wording;
  readonly error: ShownError | null;
  /** The id of the field that passkeys are offered in, if a form has one for both. */
  readonly sharedId: string | undefined;
  /** The id of that form. */
  readonly sharedFormId: string | undefined;
  readonly uniqueId: InputContext["uniqueId"];
}

/** Writes the content of the sign-in page. */
export function signInPage(page: SignIn, scheme: Scheme, words: Wording): Markup {
  const { texts, name } = words;
  const listed = listMethods(page);
  const uniqueId = idMaker();
  const sharing = listed.find(({ passkey }) => passkey !== null);
  const sharedId = sharing && uniqueId(`input-email-for-${sharing.method.id}-provider`);
  const sharedFormId = sharing?.passkey?.confirmUrl ? uniqueId(`${sharing.method.id}-form`) : undefined;
  const error = signInError(page);
  const state = stateFields(page);
  const parts: Parts = { page, state, scheme, words, error, sharedId, sharedFormId, uniqueId };
  const lead = page.purpose === "confirm" ? texts.confirmLead : page.purpose && texts.addPasskeyLead;
  return markup`
    <h1>${filled(texts[headingOf(page)], { name })}</h1>
    ${lead && markup`<p class="lead">${lead}</p>`}
    ${error && !error.method && alertBox(error, texts)}
    ${listed.length === 0 && markup`<p class="lead">${texts.noMethods}</p>`}
    <div class="methods">
      ${
    listed.map((
      each,
    ) => [each.isApart && markup`<hr${attributes({ "data-text": texts.or })}/>`, methodForm(each, parts)])
  }
    </div>
    ${page.purpose && page.siteUrl && markup`<div class="actions">${siteLink(page.siteUrl, words)}</div>`}
  `;
}

function alertBox(error: ShownError, texts: Texts, id?: string): Markup {
  return markup`
    <div class="alert" role="alert"${attributes({ id })}>
      ${icon("notice")}
      <p>${filled(texts[error.text], { provider: error.provider })}</p>
    </div>
  `;
}

function methodForm(listed: ListedMethod, parts: Parts): Markup {
  const { method, shape } = listed;
  const { page, state, words: { texts }, uniqueId, error, sharedId, sharedFormId } = parts;
  const button = methodButton(listed, parts);
  const common = { action: method.action, state };
  const isFailed = error !== null && error.method === method;
  const errorId = isFailed ? uniqueId(`error-for-${method.id}-provider`) : undefined;
  const context = { texts, email: page.email, uniqueId, errorId, values: isFailed ? error.values : {} };
  const alertHere = isFailed && alertBox(error, texts, errorId);
  switch (method.type) {
    case "credentials":
      return postForm({ ...common, kind: "fields" }, [alertHere, inputFields(method, context), button]);
    case "email": {
      const id = listed.passkey && sharedId ? sharedId : uniqueId(`input-email-for-${method.id}-provider`);
      const named = listed.passkey && sharedFormId ? { id: sharedFormId } : {};
      return postForm({ ...common, kind: "fields", ...named }, [
        alertHere,
        emailField(id, listed.passkey, context),
        button,
      ]);
    }
    case "webauthn": {
      const isAdding = page.purpose === "add-passkey";
      const id = uniqueId(`${method.id}-form`);
      const content = passkeyParts({
        method,
        context,
        hasFields: !listed.isGuest && needsFields(method, page.purpose),
        sharedId: listed.isGuest ? sharedId : undefined,
        sharedFormId: listed.isGuest ? sharedFormId : undefined,
        creates: isAdding ? "primary" : method.registers ? "quiet" : null,
        button: !isAdding && button,
      });
      // Signing in needs no field, so the browser must not require any. Only registering checks the fields, by script.
      return postForm({ ...common, kind: shape === "form" ? "fields" : "plain", id, novalidate: true }, content);
    }
    case "oauth":
    case "oidc":
      return postForm({ ...common, kind: "plain" }, button);
    default:
      return method satisfies never;
  }
}

function methodButton(listed: ListedMethod, { scheme, page, words: { texts } }: Parts): Markup {
  const { method } = listed;
  const badge = badgeOf(method.style, scheme);
  const initial = badge || hasFields(method) ? undefined : initialOf(method.name);
  return markup`
    <button type="submit" class="${classOf(listed)}"${attributes({ "data-initial": initial })}>
      ${badge && buttonBadge(badge)}
      <span class="name">${buttonText(method, page, texts)}</span>
      ${page.lastUsed === method.id && !page.purpose && markup`<span class="last">${texts.lastUsed}</span>`}
    </button>
  `;
}

function classOf({ method, index, isPrimary }: ListedMethod): string {
  const isFixed = method.style.fixed === true && !hasFields(method);
  return `button ${isPrimary ? "primary " : isFixed ? "fixed " : ""}provider-${index}`;
}

/** The names of ways of signing in that need no name, as providers have them unless somebody changes it. */
const PLAIN: Readonly<Partial<Record<SignInMethod["type"], readonly [name: RegExp, text: keyof Texts]>>> = {
  email: [/^e-?mail$/i, "continue"],
  credentials: [/^credentials$/i, "signIn"],
  webauthn: [/^(?:a )?passkey$/i, "signInWithPasskey"],
};

function buttonText(method: SignInMethod, page: SignIn, texts: Texts): Content {
  const [name, text] = PLAIN[method.type] ?? [];
  const isOnly = () => page.methods.filter(({ type }) => type === method.type).length === 1;
  if (name?.test(method.name) && text && isOnly()) return texts[text];
  return providerText(texts.signInWith, method.name);
}

function buttonBadge(badge: Badge): Markup {
  if ("mark" in badge) return mark(badge.mark);
  const { usual, dark } = badge.logo;
  return markup`
    <picture>
      ${dark && markup`<source media="(prefers-color-scheme: dark)" srcset="${dark.src}"/>`}
      <img src="${usual.src}" width="20" height="20" alt/>
    </picture>
  `;
}

/** The first letter or digit of a name, in upper case; a bullet for a name without any. */
function initialOf(name: string): string {
  const [first = "•"] = /[\p{L}\p{Nd}]/u.exec(name.normalize("NFC")) ?? [];
  const upper = first.toUpperCase();
  // Some letters become two, such as the German sharp s.
  return [...upper].length === 1 ? upper : first;
}
