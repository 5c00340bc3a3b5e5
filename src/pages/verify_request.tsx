/**
 * The page that asks the visitor to check their email.
 *
 * @module
 */
import { Emblem } from "./icons.tsx";
import { SiteLink } from "./layout.tsx";
import { webUrl } from "./urls.ts";
import type { VNode } from "preact";
import type { Page } from "../request/outcome.ts";

/** Renders the content of the verify-request page. */
export function VerifyRequestPage({ page }: { readonly page: Extract<Page, { name: "verify-request" }> }): VNode {
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
