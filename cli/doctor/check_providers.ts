/**
 * The way to each provider, and what the provider says to it.
 *
 * @module
 */
import { isLoopback } from "../../src/http/origin.ts";
import { type Check, isMisconfigured, isOwn, listed, named } from "./check.ts";
import { isKept, roleOf } from "./cookies.ts";
import { isPushed, type Observed } from "./observed.ts";
import { verdictOf } from "./verdict.ts";

/** The checks. */
export const PROVIDERS: readonly Check[] = [
  {
    id: "provider-start",
    level: "error",
    title: "A sign-in with a provider does not lead to the provider",
    fix: "Read the log of the site: the client, its metadata or the network may be wrong",
    judge: (seen) => {
      return named(seen, ({ reply, to }) => {
        if (reply.kind === "failure") return false;
        const isBack = to === null || isOwn(seen, to);
        return reply.status >= 400 || isMisconfigured(reply) || isBack;
      });
    },
  },
  {
    id: "provider-http",
    level: "error",
    title: "A sign-in leads to a provider by http",
    fix: "Use the https address of the provider in `issuer` or `authorization`",
    judge: (seen) => toProvider(seen, ({ protocol, hostname }) => protocol !== "https:" && !isLoopback(hostname)),
  },
  {
    id: "client-id-missing",
    level: "error",
    title: "The request to a provider has no client id, or that of an example",
    fix: "Set AUTH_<PROVIDER>_ID to what the provider gave you",
    judge: (seen) => {
      return toProvider(seen, ({ searchParams }) => {
        const id = searchParams.get("client_id") ?? "";
        return !searchParams.has("request_uri") &&
          /^(?:undefined|null||\s+|your[-_ ].*|<.*>|x+|\$\{?\w+\}?|changeme|client[-_]?id)$/i.test(id);
      });
    },
  },
  {
    id: "client-id-padded",
    level: "error",
    title: "The client id that a provider gets has quotes or spaces around it",
    fix: "Remove them from AUTH_<PROVIDER>_ID: Docker keeps quotes as part of a value",
    judge: (seen) => {
      return toProvider(seen, ({ searchParams }) => /^["'\s].*|.*["'\s]$/.test(searchParams.get("client_id") ?? ""));
    },
  },
  {
    id: "client-secret-shown",
    level: "error",
    title: "The request to a provider has a client secret in its URL, which every visitor sees",
    fix: "Remove it from `authorization`, and make a new one at the provider",
    judge: (seen) => toProvider(seen, ({ searchParams }) => searchParams.has("client_secret")),
  },
  {
    id: "redirect-uri-missing",
    level: "error",
    title: "The request to a provider does not say where to come back to",
    fix: "Remove `redirect_uri` from `authorization`: the service sets it",
    judge: (seen) => {
      return toProvider(seen, ({ searchParams }) => !searchParams.has("redirect_uri") && !isPushed(searchParams));
    },
  },
  {
    id: "redirect-uri-http",
    level: "error",
    title: "The provider is asked to send codes to an http address",
    fix: "Set AUTH_URL={site}{path}",
    judge: (seen) => {
      return named(seen, ({ to }) => {
        const back = URL.parse(to?.searchParams.get("redirect_uri") ?? "");
        return back?.protocol === "http:" && !isLoopback(back.hostname);
      });
    },
  },
  {
    id: "redirect-uri-path",
    level: "error",
    title: "The provider is asked to send its answer to a path at which no service is",
    fix: "Set AUTH_URL={site}{base}, or `basePath`",
    judge: (seen) => {
      return named(seen, ({ to, provider: { id, callbackUrl } }) => {
        const back = URL.parse(to?.searchParams.get("redirect_uri") ?? "");
        // At a redirect proxy of another site the path may be another.
        if (back?.origin !== seen.site.origin) return false;
        return back.pathname !== `${seen.base}/callback/${id}` && back.pathname !== callbackUrl?.pathname;
      });
    },
  },
  {
    id: "redirect-uri-elsewhere",
    level: "warning",
    title: "The provider is asked to send its answer to another origin",
    fix: "Set AUTH_URL={site}{path}, unless that origin is your redirect proxy",
    judge: (seen) => {
      return listed(seen.starts.flatMap(({ to, provider: { id } }) => {
        const back = URL.parse(to?.searchParams.get("redirect_uri") ?? "");
        return back && back.origin !== seen.site.origin ? [`${id} to ${back.origin}`] : [];
      }));
    },
  },
  {
    id: "response-type",
    level: "error",
    title: "A provider is asked for tokens in the URL, not for a code",
    fix: 'Use `response_type: "code"`',
    judge: (seen) => {
      return toProvider(seen, ({ searchParams }) => /\btoken\b/.test(searchParams.get("response_type") ?? ""));
    },
  },
  {
    id: "flow-unbound",
    level: "error",
    title: "Nothing binds the answer of a provider to the browser that asked: neither state nor PKCE",
    fix: "Set `checks` of the provider",
    judge: (seen) => {
      return toProvider(seen, ({ searchParams }) => {
        return !["state", "code_challenge", "nonce"].some((name) => searchParams.get(name)) && !isPushed(searchParams);
      });
    },
  },
  {
    id: "pkce-plain",
    level: "warning",
    title: "PKCE is sent as plain text",
    fix: 'Use `code_challenge_method: "S256"`',
    judge: (seen) => {
      return toProvider(seen, ({ searchParams }) => {
        return searchParams.has("code_challenge") && searchParams.get("code_challenge_method") !== "S256";
      });
    },
  },
  {
    id: "flow-cookie-missing",
    level: "error",
    title: "The start of a sign-in sets no cookie that its end could be compared with",
    fix: "Let the proxy pass on Set-Cookie, also of redirects",
    judge: (seen) => {
      return named(seen, ({ to, reply }) => {
        if (!to?.searchParams.get("state") || reply.kind === "failure" || isOwn(seen, to)) return false;
        return !reply.cookies.some((cookie) => isKept(cookie) && cookie.fault !== "unreadable");
      });
    },
  },
  {
    id: "form-post-cookie",
    level: "error",
    title: "The provider posts its answer, and the cookie of the sign-in does not come along without SameSite=None",
    fix: "Remove `sameSite` of `state` from `cookies`, or `response_mode` from the provider; it needs https",
    judge: (seen) => {
      return named(seen, ({ to, reply }) => {
        if (to?.searchParams.get("response_mode") !== "form_post" || reply.kind === "failure") return false;
        const states = reply.cookies.filter(({ name }) => /^state/.test(roleOf(name) ?? ""));
        return states.some(({ attributes }) => attributes.get("samesite")?.toLowerCase() !== "none");
      });
    },
  },
  {
    id: "redirect-uri-refused",
    level: "error",
    title: "The provider does not know the callback URL",
    fix: "Register it at the provider, as it stands in the list below",
    judge: (seen) => named(seen, (start) => verdictOf(start) === "redirect-uri"),
  },
  {
    id: "client-refused",
    level: "error",
    title: "The provider does not know the client",
    fix: "Compare AUTH_<PROVIDER>_ID, and the issuer or the tenant, with what the provider shows",
    judge: (seen) => named(seen, (start) => verdictOf(start) === "client"),
  },
  {
    id: "scope-refused",
    level: "error",
    title: "The provider refuses the scopes that are asked for",
    fix: "Allow them at the provider, or remove them from `authorization.params.scope`",
    judge: (seen) => named(seen, (start) => verdictOf(start) === "scope"),
  },
  {
    id: "request-refused",
    level: "error",
    title: "The provider refuses the request before anybody signs in",
    fix: "Open the sign-in in a browser: the page of the provider says why",
    judge: (seen) => named(seen, (start) => verdictOf(start) === "request"),
  },
  {
    id: "provider-down",
    level: "warning",
    title: "The provider does not answer, or fails",
    fix: "Try it again later, and look at its status page",
    judge: (seen) => named(seen, (start) => verdictOf(start) === "down"),
  },
];

function toProvider(seen: Observed, isWrong: (to: URL) => boolean): readonly string[] | null {
  return named(seen, ({ to }) => to !== null && !isOwn(seen, to) && isWrong(to));
}
