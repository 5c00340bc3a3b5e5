/** Vendors of the catalogue that say whatever a test wants of the people who come from them. */
import { customFetch, type OAuthProvider, type OidcProvider } from "@x/auth";
import type { Browser } from "./browser.ts";
import { CLIENT, type Issuer } from "./issuer.ts";
import { fetchOf, liveIssuer } from "./live_issuer.ts";

type Redirecting = OAuthProvider | OidcProvider;

/** What a factory of the catalogue gets here. */
export interface VendorOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly [customFetch]: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
}

/** A vendor with its provider. */
export interface Vendor {
  readonly provider: Redirecting;
  /** Signs somebody in, of whom the vendor says this; the answer is the callback's. */
  come(browser: Browser, person: Readonly<Record<string, unknown>>): Promise<Response>;
}

/** A vendor with OpenID Connect. `path` is what its issuer has after the origin. */
export function oidcVendor(
  make: (options: VendorOptions) => Redirecting,
  url: string,
  metadata: Readonly<Record<string, unknown>> = {},
): Vendor {
  const issuer: Issuer = liveIssuer(url, metadata);
  const { pathname } = new URL(url);
  const prefix = new RegExp(`^(?:${pathname.replace(/\/$/, "")}|/[^/]+/v2[.]0)(?=/)`);
  const fetch = fetchOf(issuer);
  const provider = make({
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    [customFetch]: (input, init) => {
      const request = new Request(input, init);
      const asked = new URL(request.url);
      asked.pathname = asked.pathname.replace(prefix, "");
      return fetch(new Request(asked, request));
    },
  });
  return {
    provider,
    async come(browser, person) {
      const start = await browser.post(`/auth/signin/${idOf(provider)}`, { csrfToken: await browser.csrf() });
      issuer.claim({ name: undefined, email: undefined, email_verified: undefined, ...person });
      const { redirectUri, params } = await issuer.consent(start.headers.get("location") ?? "");
      return await browser.get(`${new URL(redirectUri).pathname}?${params}`);
    },
  };
}

/** A vendor with plain OAuth, whose API has a profile at one path, and lists at others. */
export function oauthVendor(
  make: (options: VendorOptions) => Redirecting,
  answersOf: (person: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): Vendor {
  let answers: Readonly<Record<string, unknown>> = {};
  const provider = make({
    clientId: "1",
    clientSecret: "1",
    [customFetch]: (input, init) => {
      const { pathname } = new URL(new Request(input, init).url);
      if (/\/(?:access_)?token$/.test(pathname)) {
        return Promise.resolve(Response.json({ access_token: "t", token_type: "bearer" }));
      }
      return Promise.resolve(
        pathname in answers ? Response.json(answers[pathname]) : Response.json({}, { status: 404 }),
      );
    },
  });
  return {
    provider,
    async come(browser, person) {
      const start = await browser.post(`/auth/signin/${idOf(provider)}`, { csrfToken: await browser.csrf() });
      answers = answersOf(person);
      const location = new URL(start.headers.get("location") ?? "");
      const state = location.searchParams.get("state") ?? "";
      return await browser.get(`/auth/callback/${idOf(provider)}?${new URLSearchParams({ code: "1", state })}`);
    },
  };
}

function idOf({ id, options }: Redirecting): string {
  return options?.id ?? id;
}
