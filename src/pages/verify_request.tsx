/**
 * The page that asks a visitor to look for the message with the sign-in link.
 *
 * @module
 */
import { Emblem } from "./icons.tsx";
import { SiteLink } from "./layout.tsx";
import type { VNode } from "preact";
import type { Page } from "../outcome.ts";

/** Renders the content of the verify-request page. */
export function VerifyRequestPage({ page }: { readonly page: Extract<Page, { name: "verify-request" }> }): VNode {
  return (
    <>
      <Emblem name="envelope" />
      <h1>Check your email</h1>
      <p class="lead">A link to sign in is on its way to you. It can take a minute; look in the spam folder too.</p>
      <div class="actions">
        <SiteLink url={page.siteUrl} />
      </div>
    </>
  );
}
