/**
 * The sign-in page: one block for each way of signing in.
 *
 * @module
 */
import { Fragment } from "preact";
import { buttonLogo, type Scheme } from "./brand.ts";
import { CredentialFields, EmailField, idMaker } from "./fields.tsx";
import { Icon } from "./icons.tsx";
import { PostForm } from "./layout.tsx";
import { signInError } from "./texts.ts";
import type { VNode } from "preact";
import type { Page, SignInMethod } from "../outcome.ts";

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
      {page.methods.length === 0 && <p class="lead">There is no way to sign in here yet.</p>}
      <div class="methods">
        {page.methods.map((method, index) => (
          <Fragment key={index}>
            {isApart(page.methods[index - 1], method) && <hr />}
            <PostForm kind={hasFields(method) ? "fields" : "plain"} action={method.action} state={page}>
              {method.type === "credentials" && (
                <CredentialFields method={method} email={page.email} uniqueId={uniqueId} />
              )}
              {method.type === "email" && <EmailField method={method} email={page.email} uniqueId={uniqueId} />}
              <MethodButton method={method} index={index} scheme={scheme} />
            </PostForm>
          </Fragment>
        ))}
      </div>
    </>
  );
}

/** Buttons stand together; a form with fields stands apart from what comes before and after it. */
function isApart(before: SignInMethod | undefined, method: SignInMethod): boolean {
  return before !== undefined && (hasFields(before) || hasFields(method));
}

function hasFields({ type }: SignInMethod): boolean {
  return type === "credentials" || type === "email";
}

function MethodButton(
  { method, index, scheme }: { readonly method: SignInMethod; readonly index: number; readonly scheme: Scheme },
): VNode {
  const logo = buttonLogo(method.style, scheme);
  const kind = hasFields(method) ? "button primary" : "button";
  return (
    <button
      type="submit"
      class={`${kind} provider-${index}`}
      data-initial={logo || hasFields(method) ? undefined : initialOf(method.name)}
    >
      {logo && (
        <picture>
          {logo.dark && <source media="(prefers-color-scheme: dark)" srcset={logo.dark.src} />}
          <img src={logo.usual.src} width="20" height="20" alt="" />
        </picture>
      )}
      <span class="name">
        <span class="with">Sign in with</span> <bdi>{method.name}</bdi>
      </span>
    </button>
  );
}

/** The first letter, digit or whatever a name begins with. */
function initialOf(name: string): string | undefined {
  const [first] = name;
  return first?.toUpperCase();
}
