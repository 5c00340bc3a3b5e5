/**
 * What visitors' pages differ in: the entries of a form that is otherwise the same for all of them.
 *
 * @module
 */
import { hostOf, webUrl } from "./urls.ts";
import type { Page, SignInMethod } from "../request/outcome.ts";

/** Texts as they stand on a page, each at a place of its own in the list. `null` where the page has no such text. */
export type Entries = readonly (string | null)[];

/** Reads the entries of a page. Everything else on it is a matter of its {@linkcode kindOf | kind}. */
export function entriesOf(page: Page): Entries {
  switch (page.name) {
    case "signin":
      return [page.csrfToken, page.callbackUrl, page.email, ...addressesOf(page.methods)];
    case "signout":
      return [page.csrfToken, page.callbackUrl, webUrl(page.action)];
    case "error":
      return [webUrl(page.signInUrl), webUrl(page.siteUrl), hostOf(page.siteUrl)];
    case "verify-request":
      return [webUrl(page.signInUrl), webUrl(page.siteUrl), hostOf(page.siteUrl)];
    case "confirm-email":
      return [
        page.csrfToken,
        page.callbackUrl,
        webUrl(page.action),
        page.email,
        webUrl(page.siteUrl),
        hostOf(page.siteUrl),
      ];
    default:
      return page satisfies never;
  }
}

/** Makes a page of the same kind, with words nobody can guess for its entries. */
export function withWords(page: Page, word: () => string): Page {
  const link = (): string => `https://${word()}`; // its host is shown too, and has to be one
  switch (page.name) {
    case "signin":
      return {
        ...page,
        csrfToken: page.csrfToken === null ? null : word(),
        callbackUrl: word(),
        email: page.email === null ? null : word(),
        methods: page.methods.map((method) => withLinks(method, link)),
      };
    case "signout":
      return { ...page, csrfToken: page.csrfToken === null ? null : word(), callbackUrl: word(), action: link() };
    case "error":
      return { ...page, signInUrl: link(), siteUrl: link() };
    case "verify-request":
      return { ...page, signInUrl: link(), siteUrl: link() };
    case "confirm-email": {
      const csrfToken = page.csrfToken === null ? null : word();
      return { ...page, csrfToken, callbackUrl: word(), action: link(), email: word(), siteUrl: link() };
    }
    default:
      return page satisfies never;
  }
}

function withLinks(method: SignInMethod, link: () => string): SignInMethod {
  if (method.type !== "webauthn") return { ...method, action: link() };
  return { ...method, action: link(), optionsUrl: link() };
}

const known = new WeakMap<readonly SignInMethod[], readonly string[]>();

function addressesOf(methods: readonly SignInMethod[]): readonly string[] {
  const before = known.get(methods);
  if (before) return before;
  const addresses = methods.flatMap((method) => {
    return (method.type === "webauthn" ? [method.action, method.optionsUrl] : [method.action]).map(webUrl);
  });
  // What is not frozen may be something else the next time.
  if (Object.isFrozen(methods)) known.set(methods, addresses);
  return addresses;
}
