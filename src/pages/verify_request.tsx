/**
 * The page that asks a visitor to look for the message with the sign-in link.
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
      <p class="lead">A link to sign in is on its way to you. Open it in this browser, and you are in.</p>
      <p class="lead">Nothing there after a minute? Look in the spam folder, or check the address and ask again.</p>
      <div class="actions">
        <a class="button" href={webUrl(page.signInUrl)}>
          <span class="name">Ask for another link</span>
        </a>
        <SiteLink url={page.siteUrl} />
      </div>
    </>
  );
}
