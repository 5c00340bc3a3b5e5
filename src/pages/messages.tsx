/**
 * The pages that show a message and at most one button.
 *
 * @module
 */
import { Emblem } from "./icons.tsx";
import { PostForm, SiteLink } from "./layout.tsx";
import { pageError } from "./texts.ts";
import { webUrl } from "./urls.ts";
import type { VNode } from "preact";
import type { Page } from "../request/outcome.ts";

interface Props<Name extends Page["name"]> {
  readonly page: Extract<Page, { readonly name: Name }>;
}

/** Renders what went wrong, and what to do next. */
export function ErrorPage({ page }: Props<"error">): VNode {
  const { heading, message, signIn, icon } = pageError(page.error);
  return (
    <>
      <Emblem name={icon} />
      <h1>{heading}</h1>
      <p class="lead">{message}</p>
      <div class="actions">
        {signIn && (
          <a class="button primary" href={webUrl(page.signInUrl)}>
            <span class="name">{signIn}</span>
          </a>
        )}
        <SiteLink url={page.siteUrl} />
      </div>
    </>
  );
}

/** Renders the question whether to sign out. */
export function SignOutPage({ page }: Props<"signout">): VNode {
  return (
    <>
      <h1>Sign out</h1>
      <p class="lead">Do you want to end your session in this browser?</p>
      <div class="actions">
        <PostForm kind="plain" action={page.action} state={page}>
          <button type="submit" class="button primary" id="submitButton">
            <span class="name">Sign out</span>
          </button>
        </PostForm>
      </div>
    </>
  );
}

/** Renders the request to check the inbox. */
export function VerifyRequestPage({ page }: Props<"verify-request">): VNode {
  return (
    <>
      <Emblem name="envelope" />
      <h1>Check your email</h1>
      <p class="lead">We sent you a link. Open it in this browser to sign in.</p>
      <p class="lead">
        No email after a minute? Look in your spam folder, or check your address and ask for another link.
      </p>
      <div class="actions">
        <a class="button" href={webUrl(page.signInUrl)}>
          <span class="name">Ask for another link</span>
        </a>
        <SiteLink url={page.siteUrl} />
      </div>
    </>
  );
}

/** Renders the question whether to sign in, for a link that was opened in a browser that did not request it. */
export function ConfirmEmailPage({ page }: Props<"confirm-email">): VNode {
  return (
    <>
      <Emblem name="envelope" />
      <h1>Sign in?</h1>
      <p class="lead">
        You are about to sign in as <bdi class="who">{page.email}</bdi>. Continue only if you asked for this link.
      </p>
      <div class="actions">
        <PostForm kind="plain" action={page.action} state={page}>
          <button type="submit" class="button primary" id="submitButton">
            <span class="name">Sign in</span>
          </button>
        </PostForm>
        <SiteLink url={page.siteUrl} />
      </div>
    </>
  );
}
