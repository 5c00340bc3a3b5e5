/**
 * Sign in with Discord.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

const USER = "https://discord.com/api/users/@me";

/** The profile of a person at Discord. */
export interface DiscordProfile extends Profile {
  /** Account id: a 64-bit number as text. */
  id?: string | null | undefined;
  /** The name the person signs in with; it can change. */
  username?: string | undefined;
  /** The name to show. */
  global_name?: string | null | undefined;
  /** Four digits after the name of an older account. `"0"` for all others. */
  discriminator?: string | undefined;
  /** Hash of the picture. It begins with `a_` if the picture is animated. */
  avatar?: string | null | undefined;
  /** Whether the email address is verified. Repeated as `email_verified`. */
  verified?: boolean | undefined;
}

/**
 * Signs people in with Discord.
 *
 * - Register: {@link https://discord.com/developers/applications | Discord Developer Portal}. Create an application; id
 *   and secret are under OAuth2. The redirect is `https://<your site>/auth/callback/discord`.
 * - Environment: `AUTH_DISCORD_ID`, `AUTH_DISCORD_SECRET`.
 * - Scopes: `identify`, `email`.
 * - Email: the address of the account. `email_verified` is given to callbacks: it repeats `verified`, as Discord calls
 *   it.
 * - Refresh: a refresh token comes with each sign-in. Access tokens live seven days.
 * - Logout: no page for it.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { discord } from "@x/auth/providers/discord";
 *
 * const { handler } = createAuth({ providers: [discord()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://discord.com/developers/docs/topics/oauth2 | OAuth 2.0 at Discord}
 */
export function discord<Id extends string = "discord">(
  options: OAuthOptions<DiscordProfile, Id> = {},
): OAuthProvider<DiscordProfile, Id> {
  return oauthProvider({
    id: "discord",
    name: "Discord",
    authorization: { url: "https://discord.com/api/oauth2/authorize", params: { scope: "identify email" } },
    token: "https://discord.com/api/oauth2/token",
    userinfo: { url: USER, request: readProfile },
    checks: ["state", "pkce"],
    style: { bg: "#5865F2", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.global_name ?? profile.username,
      email: profile.email,
      image: pictureOf(profile),
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<DiscordProfile> {
  const profile = await readJson<DiscordProfile>(context, USER);
  return { ...profile, email_verified: profile.verified === true };
}

function pictureOf({ id, avatar, discriminator = "0" }: DiscordProfile): string | null {
  if (!id || !/^\d+$/.test(id)) return null;
  if (avatar) return `https://cdn.discordapp.com/avatars/${id}/${avatar}.${avatar.startsWith("a_") ? "gif" : "png"}`;
  // New accounts have one of six default pictures, by the upper bits of the 64-bit id. Old ones have one of five.
  const index = discriminator === "0" ? (BigInt(id) >> 22n) % 6n : Number(discriminator) % 5;
  return `https://cdn.discordapp.com/embed/avatars/${index}.png`;
}
