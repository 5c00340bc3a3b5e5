/** The same provider in this library and in Auth.js, and a browser that visits either. */
import { Auth as otherAuth, type AuthConfig as OtherConfig } from "@auth/core";
import { Auth, type AuthConfig } from "@x/auth";
import { CookieJar } from "./cookie_jar.ts";
import type { ProviderObject } from "./provider_objects.ts";

export const ORIGIN = "https://app.test";

/** Makes the provider of a module of `@auth/core`. */
export async function make(module: string, options: object = {}): Promise<ProviderObject> {
  const { default: factory } = await import(`@auth/core/providers/${module}`);
  return factory(options);
}

type Service = (request: Request) => Promise<Response>;

/** Who signed in, as `callbacks.signIn` is told. */
export interface SignedIn {
  readonly user: Record<string, unknown>;
  readonly account: Record<string, unknown>;
  readonly profile: unknown;
}

/** One of the two libraries with one provider. */
export interface Side {
  readonly id: string;
  readonly service: Service;
  readonly signedIn: SignedIn[];
  readonly errors: unknown[];
}

const SIDES = {
  ours: (config: object) => (request: Request) => Auth(request, config as AuthConfig),
  theirs: (config: object) => (request: Request) => otherAuth(request, config as OtherConfig),
} as const;

/** One of the two libraries. */
export type SideName = keyof typeof SIDES;

/** Opens a service of one library with one provider. */
export function open(side: SideName, provider: ProviderObject, adapter?: object): Side {
  const signedIn: SignedIn[] = [];
  const errors: unknown[] = [];
  const config = {
    providers: [provider],
    secret: "a secret of more than thirty-two characters",
    trustHost: true,
    basePath: "/auth",
    logger: { error: (error: unknown) => void errors.push(error), warn: () => {}, debug: () => {} },
    callbacks: { signIn: (message: SignedIn) => (signedIn.push(message), true) },
    experimental: { enableWebAuthn: true },
    ...(adapter && { adapter }),
  };
  return { id: provider.options?.id ?? provider.id, service: SIDES[side](config), signedIn, errors };
}

/** A browser at the service. */
export class Visitor {
  readonly #cookies = new CookieJar();
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
  }

  async send(path: string, form?: URLSearchParams, { crossSite = false } = {}): Promise<Response> {
    const url = new URL(path, ORIGIN);
    const cookie = this.#cookies.headerFor(url, { sameSite: !crossSite, safe: !form });
    const response = await this.#service(
      new Request(url, {
        headers: { ...(cookie && { cookie }), ...(form && { "content-type": "application/x-www-form-urlencoded" }) },
        ...(form && { method: "POST", body: form.toString() }),
      }),
    );
    for (const header of response.headers.getSetCookie()) this.#cookies.store(header, url);
    return response;
  }

  /** Sends a form, and gives where the service leads. */
  async post(path: string, fields: Readonly<Record<string, string>> = {}): Promise<URL> {
    const { csrfToken } = await (await this.send("/auth/csrf")).json();
    const response = await this.send(path, new URLSearchParams({ csrfToken, ...fields }));
    return new URL(response.headers.get("location") ?? "", ORIGIN);
  }

  /** Starts a sign-in. */
  start(provider: string, fields: Readonly<Record<string, string>> = {}): Promise<URL> {
    return this.post(`/auth/signin/${provider}`, fields);
  }

  /** Comes back from the provider, and gives where the service leads. */
  async comeBack(provider: string, params: URLSearchParams, posted: boolean): Promise<URL> {
    const path = `/auth/callback/${provider}`;
    let response = posted
      ? await this.send(path, params, { crossSite: true })
      : await this.send(`${path}?${params}`, undefined, { crossSite: true });
    if (response.status === 303) response = await this.send(response.headers.get("location") ?? "");
    return new URL(response.headers.get("location") ?? "", ORIGIN);
  }
}
