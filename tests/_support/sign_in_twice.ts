/** A sign-in with OpenID Connect at either service: an issuer without a socket, and storage that is a few maps. */
import { customFetch as otherFetch } from "@auth/core";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { customFetch } from "@x/auth";
import type { Client } from "./both_services.ts";
import { createIssuer, type Issuer } from "./issuer.ts";

/** An issuer whose clock is the real one, as @auth/core has no other. */
export function liveIssuer(): Issuer {
  return createIssuer({ now: () => Math.floor(Date.now() / 1000) });
}

/** A provider object that both services take. */
export function providerOf(issuer: Issuer, members: object = {}): object {
  const fetch = (input: string | URL | Request, init?: RequestInit) => issuer.fetch(new Request(input, init));
  return { ...issuer.provider(), [customFetch]: fetch, [otherFetch]: fetch, ...members };
}

/** The operations that adapters of Auth.js have, over memory. They number users themselves. */
export function mapAdapter(): object {
  const { commit: _, once: __, ...adapter } = memoryAdapter();
  return adapter;
}

/** Signs in with the issuer. Gives where the browser ends up. */
export async function signInAt(client: Client, issuer: Issuer, provider = "idp"): Promise<string | null> {
  const location = await client.post(`/auth/signin/${provider}`, { callbackUrl: "/" });
  if (!location?.startsWith(issuer.url)) return location;
  const { redirectUri, params } = await issuer.consent(location);
  const response = await client.send(`${redirectUri}?${params}`);
  await response.body?.cancel();
  return response.headers.get("location");
}
