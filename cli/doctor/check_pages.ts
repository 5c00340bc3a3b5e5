/**
 * The headers of pages.
 *
 * @module
 */
import { answered, type Check, isHtml, isOwn, listed, pageOf, when } from "./check.ts";
import type { Observed } from "./observed.ts";

/** The checks. */
export const PAGES: readonly Check[] = [
  {
    id: "page-not-html",
    level: "warning",
    title: "The sign-in page is not HTML",
    fix: "Send `Content-Type: text/html; charset=utf-8` with it",
    judge: ({ signIn }) => {
      const last = signIn?.steps.at(-1);
      return when(last && signIn?.end === "answer" && last.status === 200 && !isHtml(last));
    },
  },
  {
    id: "csp-missing",
    level: "warning",
    title: "The sign-in page has no Content-Security-Policy",
    fix: "Let the proxy pass it on, or send one with your own page",
    judge: (seen) => onPage(seen, (headers) => !headers.has("content-security-policy")),
  },
  {
    id: "csp-unsafe",
    level: "warning",
    title: "The Content-Security-Policy of the sign-in page lets injected scripts run",
    fix: "Remove 'unsafe-inline', 'unsafe-eval', data: and * from script-src: name nonces or hashes",
    judge: (seen) => {
      return onPage(seen, (headers) => {
        const policy = headers.get("content-security-policy");
        if (policy === null) return false;
        const sources = sourcesOf(policy, "script-src") ?? sourcesOf(policy, "default-src");
        if (!sources) return true;
        const isNamed = sources.some((source) => /^'(?:nonce|sha\d+)-/.test(source) || source === "'strict-dynamic'");
        return sources.some((source) => {
          return ["*", "data:", "http:", "https:", "'unsafe-eval'"].includes(source)
            ? source === "'unsafe-eval'" || !sources.includes("'strict-dynamic'")
            : source === "'unsafe-inline'" && !isNamed;
        });
      });
    },
  },
  {
    id: "csp-form-action",
    level: "error",
    title: "The Content-Security-Policy of the sign-in page forbids the way to a provider",
    fix: "Add the origin of the provider to form-action: Chrome also applies it to the redirect after a form",
    judge: (seen) => {
      const policy = pageOf(seen)?.headers.get("content-security-policy") ?? "";
      const sources = sourcesOf(policy, "form-action");
      if (!sources) return null;
      const refused = seen.starts.flatMap(({ to }) => to ?? []).filter((to) => {
        return !isOwn(seen, to) && !sources.some((source) => allows(source, to));
      });
      return listed(refused.map(({ origin }) => origin));
    },
  },
  {
    id: "framing",
    level: "warning",
    title: "Other sites can show the sign-in page in a frame",
    fix: "Send `Content-Security-Policy: frame-ancestors 'none'`",
    judge: (seen) => {
      return onPage(seen, (headers) => {
        const sources = sourcesOf(headers.get("content-security-policy") ?? "", "frame-ancestors");
        if (sources) return sources.some((source) => /^(?:\*|https?:)$/.test(source));
        return !/^(?:deny|sameorigin)$/i.test(headers.get("x-frame-options") ?? "");
      });
    },
  },
  {
    id: "nosniff",
    level: "warning",
    title: "An answer has no `X-Content-Type-Options: nosniff`",
    fix: "Let the proxy pass it on, or send it with every answer",
    judge: (seen) => {
      const page = pageOf(seen);
      const all = [...answered(seen, ["session", "providers"]), ...page ? [[page.url.pathname, page] as const] : []];
      return listed(
        all.filter(([, { headers }]) => !/nosniff/i.test(headers.get("x-content-type-options") ?? ""))
          .map(([path]) => path),
      );
    },
  },
  {
    id: "referrer-shown",
    level: "warning",
    title: "The sign-in page tells other sites its whole address, in Referer",
    fix: "Send `Referrer-Policy: strict-origin`",
    judge: (seen) => {
      return onPage(seen, (headers) => /unsafe-url|no-referrer-when-downgrade/i.test(referrer(headers)));
    },
  },
  {
    id: "referrer-hidden",
    level: "warning",
    title: "With `Referrer-Policy: no-referrer`, browsers send forms of the sign-in page with `Origin: null`",
    fix: "Send `Referrer-Policy: strict-origin`, or `same-origin`: otherwise the service refuses them",
    judge: (seen) => onPage(seen, (headers) => /(?:^|,)\s*no-referrer\s*$/i.test(referrer(headers))),
  },
  {
    id: "page-loads-http",
    level: "error",
    title: "The sign-in page loads something by http",
    fix: "Load it by https, or from the site itself",
    judge: (seen) => {
      const found = /<(?:script|link|iframe|img)\b[^<>]{0,500}?\s(?:src|href)=["']?http:\/\//i.test(
        pageOf(seen)?.body ?? "",
      );
      return when(found && seen.site.protocol === "https:");
    },
  },
];

function onPage(seen: Observed, isWrong: (headers: Headers) => boolean): readonly string[] | null {
  const page = pageOf(seen);
  return when(page !== null && isWrong(page.headers));
}

function referrer(headers: Headers): string {
  return headers.get("referrer-policy") ?? "";
}

/** The sources of a directive; `null` if no policy has it. */
function sourcesOf(policy: string, name: string): readonly string[] | null {
  for (const directive of policy.slice(0, 16_384).split(/[;,]/)) {
    const [found = "", ...sources] = directive.trim().split(/\s+/);
    if (found.toLowerCase() === name) return sources.map((source) => /^'/.test(source) ? source : source.toLowerCase());
  }
  return null;
}

function allows(source: string, to: URL): boolean {
  if (source === "*" || source === to.protocol) return true;
  const [, scheme, host = "", port] = /^(?:(https?):\/\/)?([^/:]+|\[.*\])(?::(\d+|\*))?(?:\/.*)?$/.exec(source) ?? [];
  if (host === "" || (scheme && `${scheme}:` !== to.protocol)) return false;
  if (port && port !== "*" && port !== (to.port || (to.protocol === "https:" ? "443" : "80"))) return false;
  if (!port && to.port !== "") return false;
  return host === to.hostname || (host.startsWith("*.") && to.hostname.endsWith(host.slice(1)));
}
