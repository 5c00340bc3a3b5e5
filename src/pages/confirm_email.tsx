/**
 * The page that a sign-in link opens in a browser that did not ask for it: one address, one button.
 *
 * @module
 */
import { Emblem } from "./icons.tsx";
import { PostForm, SiteLink } from "./layout.tsx";
import type { VNode } from "preact";
import type { Page } from "../request/outcome.ts";

/** Renders the content of the page that asks before it uses up a link. */
export function ConfirmEmailPage({ page }: { readonly page: Extract<Page, { name: "confirm-email" }> }): VNode {
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
