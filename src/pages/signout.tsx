/**
 * The sign-out page: one question, one button.
 *
 * @module
 */
import { PostForm } from "./layout.tsx";
import type { VNode } from "preact";
import type { Page } from "../request/outcome.ts";

/** Renders the content of the sign-out page. */
export function SignOutPage({ page }: { readonly page: Extract<Page, { name: "signout" }> }): VNode {
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
