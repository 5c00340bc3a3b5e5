/**
 * The error page: what happened, and what to do next.
 *
 * @module
 */
import { Emblem } from "./icons.tsx";
import { SiteLink } from "./layout.tsx";
import { pageError } from "./texts.ts";
import { webUrl } from "./urls.ts";
import type { VNode } from "preact";
import type { Page } from "../request/outcome.ts";

/** Renders the content of the error page. */
export function ErrorPage({ page }: { readonly page: Extract<Page, { name: "error" }> }): VNode {
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
