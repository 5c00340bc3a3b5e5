/**
 * The sign-in page: a button or a form for each way of signing in.
 *
 * @module
 */
import { Fragment } from "preact";
import { type Badge, badgeOf, type Scheme } from "./brand.ts";
import { type ShownError, signInError } from "./errors.ts";
import { EmailField, idMaker, type InputContext, InputFields } from "./fields.tsx";
import { Icon, Mark } from "./icons.tsx";
import { PostForm, SiteLink } from "./layout.tsx";
import { hasFields, type ListedMethod, listMethods, needsFields } from "./method_list.ts";
import { PasskeyParts } from "./passkey.tsx";
import { Filled, ProviderText } from "./words.tsx";
import type { ComponentChildren, VNode } from "preact";
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
  readonly scheme: Scheme;
  readonly words: Wording;
  readonly error: ShownError | null;
  /** The id of the field that passkeys are offered in, if a form has one for both. */
  readonly sharedId: string | undefined;
  readonly uniqueId: InputContext["uniqueId"];
}

/** Renders the content of the sign-in page. */
export function SignInPage(
  { page, scheme, words }: Pick<Parts, "page" | "scheme" | "words">,
): VNode {
  const { texts, name } = words;
  const listed = listMethods(page);
  const uniqueId = idMaker();
  const sharing = listed.find(({ passkey }) => passkey !== null);
  const sharedId = sharing && uniqueId(`input-email-for-${sharing.method.id}-provider`);
  const error = signInError(page);
  const parts: Parts = { page, scheme, words, error, sharedId, uniqueId };
  const lead = page.purpose === "confirm" ? texts.confirmLead : page.purpose && texts.addPasskeyLead;
  return (
    <>
      <h1>
        <Filled text={texts[headingOf(page)]} values={{ name }} />
      </h1>
      {lead && <p class="lead">{lead}</p>}
      {error && !error.method && <Alert error={error} texts={texts} />}
      {listed.length === 0 && <p class="lead">{texts.noMethods}</p>}
      <div class="methods">
        {listed.map((each) => (
          <Fragment key={each.index}>
            {each.isApart && <hr data-text={texts.or} />}
            <MethodForm listed={each} parts={parts}>
              <MethodButton listed={each} parts={parts} />
            </MethodForm>
          </Fragment>
        ))}
      </div>
      {page.purpose && page.siteUrl && (
        <div class="actions">
          <SiteLink url={page.siteUrl} words={words} />
        </div>
      )}
    </>
  );
}

function Alert(
  { error, texts, id }: { readonly error: ShownError; readonly texts: Texts; readonly id?: string | undefined },
): VNode {
  return (
    <div class="alert" role="alert" id={id}>
      <Icon name="notice" />
      <p>
        <Filled text={texts[error.text]} values={{ provider: error.provider }} />
      </p>
    </div>
  );
}

function MethodForm(
  { listed, parts, children }: {
    readonly listed: ListedMethod;
    readonly parts: Parts;
    readonly children: ComponentChildren;
  },
): VNode {
  const { method, shape } = listed;
  const { page, words: { texts }, uniqueId, error, sharedId } = parts;
  const { action } = method;
  const isFailed = error !== null && error.method === method;
  const errorId = isFailed ? uniqueId(`error-for-${method.id}-provider`) : undefined;
  const context = { texts, email: page.email, uniqueId, errorId, values: isFailed ? error.values : {} };
  const alert = isFailed && <Alert error={error} texts={texts} id={errorId} />;
  switch (method.type) {
    case "credentials":
      return (
        <PostForm kind="fields" action={action} state={page}>
          {alert}
          <InputFields method={method} context={context} />
          {children}
        </PostForm>
      );
    case "email": {
      const id = listed.passkey && sharedId ? sharedId : uniqueId(`input-email-for-${method.id}-provider`);
      return (
        <PostForm kind="fields" action={action} state={page}>
          {alert}
          <EmailField id={id} context={context} passkey={listed.passkey} />
          {children}
        </PostForm>
      );
    }
    case "webauthn": {
      const isAdding = page.purpose === "add-passkey";
      return (
        // Signing in needs no field, so the browser must not require any. Only registering checks the fields, by script.
        <PostForm
          kind={shape === "form" ? "fields" : "plain"}
          action={action}
          state={page}
          id={uniqueId(`${method.id}-form`)}
          noValidate
        >
          <PasskeyParts
            method={method}
            context={context}
            hasFields={!listed.isGuest && needsFields(method, page.purpose)}
            sharedId={listed.isGuest ? sharedId : undefined}
            creates={isAdding ? "primary" : method.registers ? "quiet" : null}
          >
            {!isAdding && children}
          </PasskeyParts>
        </PostForm>
      );
    }
    case "oauth":
    case "oidc":
      return <PostForm kind="plain" action={action} state={page}>{children}</PostForm>;
    default:
      return method satisfies never;
  }
}

function MethodButton({ listed, parts }: { readonly listed: ListedMethod; readonly parts: Parts }): VNode {
  const { method, index } = listed;
  const { scheme, page, words: { texts } } = parts;
  const badge = badgeOf(method.style, scheme);
  return (
    <button
      type="submit"
      class={`${kindOf(listed)} provider-${index}`}
      data-initial={badge || hasFields(method) ? undefined : initialOf(method.name)}
    >
      {badge && <ButtonBadge badge={badge} />}
      <span class="name">
        <ButtonText method={method} page={page} texts={texts} />
      </span>
      {page.lastUsed === method.id && !page.purpose && <span class="last">{texts.lastUsed}</span>}
    </button>
  );
}

function kindOf({ method, isPrimary }: ListedMethod): string {
  if (isPrimary) return "button primary";
  return method.style.fixed === true && !hasFields(method) ? "button fixed" : "button";
}

/** The names of ways of signing in that need no name, as providers have them unless somebody changes it. */
const PLAIN: Readonly<Partial<Record<SignInMethod["type"], readonly [name: RegExp, text: keyof Texts]>>> = {
  email: [/^e-?mail$/i, "continue"],
  credentials: [/^credentials$/i, "signIn"],
  webauthn: [/^(?:a )?passkey$/i, "signInWithPasskey"],
};

function ButtonText(
  { method, page, texts }: { readonly method: SignInMethod; readonly page: SignIn; readonly texts: Texts },
): VNode {
  const [name, text] = PLAIN[method.type] ?? [];
  const isOnly = page.methods.filter(({ type }) => type === method.type).length === 1;
  if (name && text && isOnly && name.test(method.name)) return <>{texts[text]}</>;
  return <ProviderText text={texts.signInWith} provider={method.name} />;
}

function ButtonBadge({ badge }: { readonly badge: Badge }): VNode {
  if ("mark" in badge) return <Mark path={badge.mark} />;
  const { usual, dark } = badge.logo;
  return (
    <picture>
      {dark && <source media="(prefers-color-scheme: dark)" srcset={dark.src} />}
      <img src={usual.src} width="20" height="20" alt="" />
    </picture>
  );
}

/** The first letter or digit of a name, in upper case; a bullet for a name without any. */
function initialOf(name: string): string {
  const [first = "•"] = /[\p{L}\p{Nd}]/u.exec(name.normalize("NFC")) ?? [];
  const upper = first.toUpperCase();
  // Some letters become two, such as the German sharp s.
  return [...upper].length === 1 ? upper : first;
}
