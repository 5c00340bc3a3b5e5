/** Applications that were written for Auth.js, after nothing but their imports was changed. */
import assert from "node:assert/strict";
import { env } from "node:process";
import { test } from "node:test";
import { createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import Discord, { type DiscordProfile } from "@x/auth/providers/discord";
import Facebook, { type FacebookProfile } from "@x/auth/providers/facebook";
import GitHub, { type GitHubProfile } from "@x/auth/providers/github";
import GitLab, { type GitLabProfile } from "@x/auth/providers/gitlab";
import Google, { type GoogleProfile } from "@x/auth/providers/google";
import Keycloak, { type KeycloakProfile } from "@x/auth/providers/keycloak";
import MicrosoftEntraID, { type MicrosoftEntraIDProfile } from "@x/auth/providers/microsoft-entra-id";
import Resend from "@x/auth/providers/resend";
import Spotify, { type SpotifyProfile } from "@x/auth/providers/spotify";
import { Browser } from "../_support/browser.ts";
import { recordLog, SECRET } from "../_support/service.ts";

const CLIENT = { clientId: "client-1", clientSecret: "0123456789abcdef0123456789abcdef" };

test("a provider is its default export, called with options or given without a call", async () => {
  const { logger, errors, warnings } = recordLog();
  env.AUTH_GITHUB_ID = "client-2";
  env.AUTH_GITHUB_SECRET = CLIENT.clientSecret;
  try {
    const { handler } = createAuth({
      providers: [GitHub, Google(CLIENT), Resend({ from: "site@example.com", apiKey: "key" })],
      adapter: memoryAdapter(),
      secret: SECRET,
      trustHost: true,
      logger,
    });
    assert.deepEqual(Object.keys(await new Browser(handler).providers()), ["github", "google", "resend"]);
    assert.deepEqual([errors, warnings], [[], []]);
  } finally {
    delete env.AUTH_GITHUB_ID;
    delete env.AUTH_GITHUB_SECRET;
  }
});

/** What applications return from `profile`. */
interface Mapped {
  readonly id: string;
  readonly name: string | null | undefined;
  readonly email: string | null | undefined;
  readonly image: string | null | undefined;
}

/** Functions as they are written for Auth.js: that they compile is what is tested. */
const MAPPINGS = {
  github: (profile: GitHubProfile): Mapped & { readonly bio: string | null } => ({
    id: profile.id.toString(),
    name: profile.name ?? profile.login,
    email: profile.email,
    image: profile.avatar_url,
    bio: profile.bio,
  }),
  google: (profile: GoogleProfile): Mapped & { readonly isVerified: boolean } => ({
    id: profile.sub,
    name: `${profile.given_name} ${profile.family_name}`,
    email: profile.email.toLowerCase(),
    image: profile.picture,
    isVerified: profile.email_verified,
  }),
  discord: (profile: DiscordProfile): Mapped => {
    const defaultAvatar = profile.discriminator === "0" ? Number(BigInt(profile.id) >> 22n) % 6 : 0;
    const format = profile.avatar?.startsWith("a_") ? "gif" : "png";
    profile.image_url = profile.avatar === null
      ? `https://cdn.discordapp.com/embed/avatars/${defaultAvatar}.png`
      : `https://cdn.discordapp.com/avatars/${profile.id}/${profile.avatar}.${format}`;
    return {
      id: profile.id,
      name: profile.global_name ?? profile.username,
      email: profile.email,
      image: profile.image_url,
    };
  },
  microsoft: (profile: MicrosoftEntraIDProfile): Mapped & { readonly roles: readonly string[] } => ({
    id: profile.oid,
    name: profile.name,
    email: profile.email ?? profile.preferred_username,
    image: null,
    roles: profile.roles ?? [],
  }),
  facebook: (profile: FacebookProfile): Mapped => ({
    id: profile.id,
    name: profile.name,
    email: profile.email,
    image: profile.picture?.data?.url,
  }),
  gitlab: (profile: GitLabProfile): Mapped => ({
    id: profile.id.toString(),
    name: profile.name ?? profile.username,
    email: profile.email,
    image: profile.avatar_url,
  }),
  keycloak: (profile: KeycloakProfile): Mapped & { readonly roles: readonly string[] } => ({
    id: profile.sub,
    name: profile.name ?? profile.preferred_username,
    email: profile.email,
    image: profile.picture,
    roles: profile.realm_access?.roles ?? [],
  }),
  spotify: (profile: SpotifyProfile): Mapped => ({
    id: profile.id,
    name: profile.display_name,
    email: profile.email,
    image: profile.images?.[0]?.url,
  }),
};

test("functions that were written for the profiles of Auth.js fit the providers", () => {
  const providers = [
    GitHub({ profile: MAPPINGS.github }),
    Google({ profile: MAPPINGS.google }),
    Discord({ profile: MAPPINGS.discord }),
    MicrosoftEntraID({ profile: MAPPINGS.microsoft }),
    Facebook({ profile: MAPPINGS.facebook }),
    GitLab({ profile: MAPPINGS.gitlab }),
    Keycloak({ profile: MAPPINGS.keycloak }),
    Spotify({ profile: MAPPINGS.spotify }),
  ];
  assert.deepEqual(providers.map(({ options }) => typeof options?.profile), providers.map(() => "function"));
});
