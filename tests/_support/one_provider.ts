/** Calls the functions of one provider without a service: its mapping of profiles, and its own requests. */
import assert from "node:assert/strict";
import type { OAuthProvider, OidcProvider, UserinfoEndpoint } from "../../src/contract/provider.ts";
import type { Profile, TokenSet, User } from "../../src/kernel/model.ts";

type Redirecting = OAuthProvider | OidcProvider;

/** Maps a profile to a user. */
export async function userOf(provider: Redirecting, profile: Profile): Promise<User> {
  assert.ok(provider.profile);
  return await provider.profile(profile, {});
}

/** Lists the URLs that a provider has. */
export function urlsOf(
  { issuer, wellKnown, jwks_endpoint, authorization, token, userinfo }: Redirecting,
): string[] {
  return [issuer, wellKnown, jwks_endpoint, ...[authorization, token, userinfo].map(urlOf)]
    .filter((url) => url !== undefined);
}

function urlOf(endpoint: Redirecting["authorization" | "token" | "userinfo"]): string | undefined {
  if (typeof endpoint === "object") return endpoint.url?.toString();
  return typeof endpoint === "string" ? endpoint : undefined;
}

/** Lets a provider read the profile from answers that are given in turn. @param granted Further members of the tokens. */
export async function readProfile(
  provider: OAuthProvider,
  answers: readonly Response[],
  granted: TokenSet = {},
): Promise<{ profile: Profile; requests: readonly Request[] }> {
  const requests: Request[] = [];
  const { request } = provider.userinfo as UserinfoEndpoint;
  assert.ok(request);
  const profile = await request({
    provider: {
      id: provider.id,
      name: provider.name,
      clientId: "a-client",
      clientSecret: "a-secret",
      issuer: provider.issuer,
      callbackUrl: `https://example.com/auth/callback/${provider.id}`,
      authorization: { url: undefined },
      token: { url: undefined },
      userinfo: { url: undefined },
    },
    tokens: { access_token: "a-token", token_type: "bearer", ...granted },
    fetch: (input, init) => {
      const answer = answers[requests.push(new Request(input, init)) - 1];
      return answer ? Promise.resolve(answer) : Promise.reject(new Error("One request too many"));
    },
  });
  return { profile, requests };
}
