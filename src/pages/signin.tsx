/**
 * The sign-in page: a button or a form for each way of signing in.
 *
 * @module
 */
import { Fragment } from "preact";
import { type Badge, badgeOf, type Scheme } from "./brand.ts";
import { EmailField, type IdMaker, idMaker, InputFields } from "./fields.tsx";
import { Icon, Mark } from "./icons.tsx";
import { PostForm } from "./layout.tsx";
import { PasskeyParts } from "./passkey.tsx";
import { signInError } from "./texts.ts";
import type { ComponentChildren, VNode } from "preact";
import type { Page, SignInMethod } from "../request/outcome.ts";

type SignIn = Extract<Page, { name: "signin" }>;

/** Renders the content of the sign-in page. */
export function SignInPage({ page, scheme }: { readonly page: SignIn; readonly scheme: Scheme }): VNode {
  const uniqueId = idMaker();
  return (
    <>
      <h1>Sign in</h1>
      {page.error !== null && (
        <div class="alert" role="alert">
          <Icon name="notice" />
          <p>{signInError(page.error)}</p>
        </div>
      )}
      {page.methods.length === 0 && <p class="lead">This site has no way to sign in yet.</p>}
      <div class="methods">
        {page.methods.map((method, index) => (
          <Fragment key={index}>
            {isSeparate(page.methods[index - 1], method) && <hr />}
            <MethodForm method={method} page={page} uniqueId={uniqueId}>
              <MethodButton method={method} index={index} scheme={scheme} />
            </MethodForm>
          </Fragment>
        ))}
      </div>
    </>
  );
}

/** A form with fields is separated from what comes before and after it; buttons are not separated from each other. */
function isSeparate(before: SignInMethod | undefined, method: SignInMethod): boolean {
  return before !== undefined && (hasFields(before) || hasFields(method));
}

/** Whether a way of signing in has a form with fields, and not a button alone. */
export function hasFields({ type }: SignInMethod): boolean {
  return type === "credentials" || type === "email" || type === "webauthn";
}

function MethodForm(
  { method, page, uniqueId, children }: {
    readonly method: SignInMethod;
    readonly page: SignIn;
    readonly uniqueId: IdMaker;
    readonly children: ComponentChildren;
  },
): VNode {
  const { action } = method;
  const input = { email: page.email, uniqueId };
  switch (method.type) {
    case "credentials":
      return (
        <PostForm kind="fields" action={action} state={page}>
          <InputFields method={method} {...input} />
          {children}
        </PostForm>
      );
    case "email":
      return (
        <PostForm kind="fields" action={action} state={page}>
          <EmailField method={method} {...input} />
          {children}
        </PostForm>
      );
    case "webauthn":
      // Signing in needs no field, so the browser must not require any. Only registering checks the fields, by script.
      return (
        <PostForm kind="fields" action={action} state={page} id={uniqueId(`${method.id}-form`)} noValidate>
          <PasskeyParts method={method} {...input}>{children}</PasskeyParts>
        </PostForm>
      );
    case "oauth":
    case "oidc":
      return <PostForm kind="plain" action={action} state={page}>{children}</PostForm>;
    default:
      return method satisfies never;
  }
}

function MethodButton(
  { method, index, scheme }: { readonly method: SignInMethod; readonly index: number; readonly scheme: Scheme },
): VNode {
  const badge = badgeOf(method.style, scheme);
  const kind = hasFields(method) ? "button primary" : method.style.fixed === true ? "button fixed" : "button";
  return (
    <button
      type="submit"
      class={`${kind} provider-${index}`}
      data-initial={badge || hasFields(method) ? undefined : initialOf(method.name)}
    >
      {badge && <ButtonBadge badge={badge} />}
      <span class="name">
        <span class="with">Sign in with</span> <bdi>{method.name}</bdi>
      </span>
    </button>
  );
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
