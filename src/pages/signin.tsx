/** @jsxImportSource preact */
/**
 * The sign-in page: a button or a form for each way of signing in.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import type { Brand } from "./brand.ts";
import { ChallengePart } from "./challenge.tsx";
import { type ShownError, signInError } from "./errors.ts";
import { EmailField, idMaker, type InputContext, InputFields } from "./fields.tsx";
import { hasFields, type ListedMethod, listMethods, needsFields } from "./method_list.ts";
import { Alert, ButtonBadge, filled, initialOf, PostForm, SiteLink, ThemeLink, Wait } from "./parts.tsx";
import { PasskeyControls } from "./passkey.tsx";
import { webUrl } from "./urls.ts";
import type { Page, PasswordLinks, SignInMethod } from "../request/outcome.ts";
import { partOf, splitText, type Texts, type Wording } from "../texts/texts.ts";

type SignIn = Extract<Page, { name: "signin" }>;

/** Chooses the heading of the page, by the name of its text. */
export function headingOf({ purpose }: SignIn): keyof Texts {
  return purpose === "confirm" ? "confirmTitle" : purpose === "add-passkey" ? "addPasskeyTitle" : "signInTitle";
}

interface Parts {
  readonly page: SignIn;
  /** What stands before the text of each button, in the order of the configuration. */
  readonly badges: Brand["badges"];
  readonly links: Brand["links"];
  readonly words: Wording;
}

/** What the forms of the page have in common. */
interface Common extends Parts {
  readonly error: ShownError | null;
  /** The id of the field that passkeys are offered in, if a form has one for both. */
  readonly sharedId: string | undefined;
  /** The id of that form. */
  readonly sharedFormId: string | undefined;
  readonly uniqueId: InputContext["uniqueId"];
}

/** The content of the sign-in page. */
export function SignInPage(parts: Parts): VNode {
  const { page, words } = parts;
  const { texts, name } = words;
  const listed = listMethods(page);
  const uniqueId = idMaker();
  const sharing = listed.find(({ passkey }) => passkey !== null);
  const sharedId = sharing && uniqueId(`input-email-for-${sharing.method.id}-provider`);
  const sharedFormId = sharing?.passkey?.confirmUrl ? uniqueId(`${sharing.method.id}-form`) : undefined;
  const error = signInError(page);
  const common: Common = { ...parts, error, sharedId, sharedFormId, uniqueId };
  const lead = page.purpose === "confirm" ? texts.confirmLead : page.purpose && texts.addPasskeyLead;
  return (
    <>
      <h1>{filled(texts[headingOf(page)], { name })}</h1>
      {lead && <p class="lead">{lead}</p>}
      {error && !error.method && <ErrorAlert error={error} words={words} />}
      {listed.length === 0 && <p class="lead">{texts.noMethods}</p>}
      <div class="methods">
        {listed.map((each) => [
          each.isApart && <hr data-text={texts.or} />,
          <MethodForm listed={each} common={common} />,
        ])}
      </div>
      <Links {...parts} />
    </>
  );
}

/** What stands below the ways of signing in. */
function Links({ page, links, words }: Parts): VNode {
  const { texts } = words;
  const signUp = page.purpose ? undefined : links.signUp;
  // A site that names a page of its own has it instead of ours.
  const registers = page.purpose || signUp ? undefined : passwordLinksOf(page)?.signUpUrl ?? undefined;
  const siteUrl = page.purpose && page.siteUrl;
  return (
    <>
      {(signUp ?? registers ?? links.help ?? siteUrl) && (
        <div class="actions">
          <ThemeLink url={signUp} text={texts.signUp} />
          <ThemeLink url={registers && webUrl(registers)} text={texts.signUpButton} />
          <ThemeLink url={links.help} text={texts.help} />
          {siteUrl && <SiteLink url={siteUrl} words={words} />}
        </div>
      )}
      {(links.terms ?? links.privacy) && (
        <div class="actions">
          <p>
            <ThemeLink url={links.terms} text={texts.terms} /> <ThemeLink url={links.privacy} text={texts.privacy} />
          </p>
        </div>
      )}
    </>
  );
}

function passwordLinksOf({ methods }: SignIn): PasswordLinks | undefined {
  return methods.flatMap((method) => "passwords" in method && method.passwords ? [method.passwords] : [])[0];
}

interface AlertParts {
  readonly error: ShownError;
  readonly words: Wording;
  readonly id?: string | undefined;
}

function ErrorAlert({ error, words, id }: AlertParts): VNode {
  const { texts } = words;
  return (
    <Alert id={id}>
      {filled(texts[error.text], { provider: error.provider })}
      {error.retryAfter && <Wait seconds={error.retryAfter} words={words} />}
      {error.lastUsed && [" ", filled(texts.errorNotLinkedLast, { provider: error.lastUsed })]}
    </Alert>
  );
}

interface MethodParts {
  readonly listed: ListedMethod;
  readonly common: Common;
}

function MethodForm({ listed, common }: MethodParts): VNode {
  const { method, shape, passkey, isGuest } = listed;
  const { page, words, uniqueId, error, sharedId, sharedFormId } = common;
  const { texts } = words;
  const form = { action: method.action, state: page };
  const own = <MethodButton listed={listed} common={common} />;
  const view = page.challenge?.provider === method.id ? page.challenge.view : undefined;
  const button = view ? <ChallengePart view={view} words={words}>{own}</ChallengePart> : own;
  const failed = error?.method === method ? error : null;
  const errorId = failed ? uniqueId(`error-for-${method.id}-provider`) : undefined;
  const context = { texts, email: page.email, uniqueId, errorId, values: failed?.values ?? {} };
  const alert = failed && <ErrorAlert error={failed} words={words} id={errorId} />;
  switch (method.type) {
    case "credentials": {
      const { passwords } = method;
      const forgotten = passwords && <a class="site beside" href={webUrl(passwords.resetUrl)}>{texts.forgotPassword}
      </a>;
      return (
        <PostForm {...form} kind="fields">
          {alert}
          <InputFields method={method} context={context} atPassword={forgotten} />
          {button}
        </PostForm>
      );
    }
    case "email": {
      const id = passkey && sharedId ? sharedId : uniqueId(`input-email-for-${method.id}-provider`);
      return (
        <PostForm {...form} kind="fields" id={passkey ? sharedFormId : undefined}>
          {alert}
          <EmailField id={id} passkey={passkey} context={context} />
          {button}
        </PostForm>
      );
    }
    case "webauthn": {
      const isAdding = page.purpose === "add-passkey";
      // Signing in needs no field, so the browser must not require any. Only registering checks the fields, by script.
      return (
        <PostForm {...form} kind={shape === "form" ? "fields" : "plain"} id={uniqueId(`${method.id}-form`)} novalidate>
          <PasskeyControls
            method={method}
            context={context}
            hasFields={!isGuest && needsFields(method, page.purpose)}
            sharedId={isGuest ? sharedId : undefined}
            sharedFormId={isGuest ? sharedFormId : undefined}
            creates={isAdding ? "primary" : method.registers ? "quiet" : null}
            button={isAdding ? null : button}
          />
        </PostForm>
      );
    }
    case "oauth":
    case "oidc":
      return <PostForm {...form} kind="plain">{button}</PostForm>;
    default:
      return method satisfies never;
  }
}

function MethodButton({ listed, common: { badges, page, words: { texts } } }: MethodParts): VNode {
  const { method } = listed;
  const badge = badges[listed.index];
  const initial = badge || hasFields(method) ? undefined : initialOf(method.name);
  return (
    <button type="submit" class={classOf(listed)} data-initial={initial}>
      {badge && <ButtonBadge badge={badge} />}
      <span class="name">{buttonText(method, page, texts)}</span>
      {page.lastUsed === method.id && !page.purpose && <span class="last">{texts.lastUsed}</span>}
    </button>
  );
}

function classOf({ method, index, isPrimary }: ListedMethod): string {
  const isFixed = method.style.fixed === true && !hasFields(method);
  return `button ${isPrimary ? "primary " : isFixed ? "fixed " : ""}provider-${index}`;
}

/** The names of ways of signing in that need no name, as providers have them unless somebody changes it. */
const PLAIN: Readonly<Partial<Record<SignInMethod["type"], readonly [name: RegExp, text: keyof Texts]>>> = {
  email: [/^e-?mail$/i, "continue"],
  credentials: [/^(?:credentials|password)$/i, "signIn"],
  webauthn: [/^(?:a )?passkey$/i, "signInWithPasskey"],
};

function buttonText(method: SignInMethod, page: SignIn, texts: Texts): ComponentChildren {
  const [name, text] = PLAIN[method.type] ?? [];
  const isOnly = () => page.methods.filter(({ type }) => type === method.type).length === 1;
  if (name?.test(method.name) && text && isOnly()) return texts[text];
  return splitText(texts.signInWith).map((part) => {
    const value = partOf(part, { provider: method.name });
    // The words around the name have a class, so that a list of many can show the names alone.
    return value === undefined ? part && <span class="with">{part}</span> : <bdi>{value}</bdi>;
  });
}
