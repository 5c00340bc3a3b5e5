/**
 * Sign in with Discord.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

const USER = "https://discord.com/api/users/@me";

/** The profile of a person at Discord. */
export interface DiscordProfile extends Profile {
  /** Account id: a 64-bit number as text. */
  id: string;
  /** The name the person signs in with; it can change. */
  username: string;
  /** The name to show. */
  global_name: string | null;
  /** Four digits after the name of an older account. `"0"` for all others. */
  discriminator: string;
  /** Hash of the picture. It begins with `a_` if the picture is animated. */
  avatar: string | null;
  /** Email address. */
  email?: string | null | undefined;
  /** Whether the email address is verified. Repeated as `email_verified`. */
  verified?: boolean | undefined;
  /** Language tag. */
  locale?: string | undefined;
  /** Whether a second factor is set up. */
  mfa_enabled?: boolean | undefined;
  /** Hash of the picture at the top of the profile. */
  banner?: string | null | undefined;
  /** Colour of the profile, as a number. */
  accent_color?: number | null | undefined;
  /** Flags of the account. */
  flags?: number | undefined;
  /** Flags that everybody sees. */
  public_flags?: number | undefined;
  /** Kind of the subscription. */
  premium_type?: number | undefined;
  /** Not of Discord: set by `profile` functions that were written for Auth.js. */
  image_url?: string | undefined;
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
export function discord<const Id extends string = "discord">(
  options: OAuthOptions<DiscordProfile, Id> = {},
): OAuthProvider<DiscordProfile, Id> {
  return oauthProvider({
    id: "discord",
    name: "Discord",
    authorization: { url: "https://discord.com/api/oauth2/authorize", params: { scope: "identify email" } },
    token: "https://discord.com/api/oauth2/token",
    userinfo: { url: USER, request: readProfile },
    checks: ["state", "pkce"],
    style: {
      bg: "#5865F2",
      text: "#fff",
      mark:
        "m20.32 4.37a19.79 19.79 0 0 0-4.89-1.52.07.07 0 0 0-.08.04c-.21.38-.44.87-.6 1.25-1.85-.28-3.68-.28-5.49 0-.17-.39-.41-.87-.62-1.25a.08.08 0 0 0-.08-.04 19.74 19.74 0 0 0-4.88 1.52.07.07 0 0 0-.04.03c-3.11 4.65-3.96 9.18-3.54 13.66a.08.08 0 0 0 .03.05c2.05 1.51 4.04 2.43 5.99 3.03a.08.08 0 0 0 .09-.02c.46-.63.87-1.3 1.22-2a.08.08 0 0 0-.04-.1c-.65-.25-1.27-.55-1.87-.9a.08.08 0 0 1-.01-.12c.13-.1.25-.2.37-.3a.07.07 0 0 1 .08-.01c3.93 1.8 8.18 1.8 12.06 0a.07.07 0 0 1 .08.01c.12.1.25.2.37.3a.08.08 0 0 1 0 .12 12.3 12.3 0 0 1-1.88.89.08.08 0 0 0-.04.11c.36.7.78 1.36 1.23 1.99a.08.08 0 0 0 .08.03c1.96-.6 3.95-1.52 6.01-3.03a.08.08 0 0 0 .03-.05c.5-5.18-.84-9.68-3.55-13.66a.06.06 0 0 0-.03-.03zm-12.3 10.96c-1.18 0-2.16-1.08-2.16-2.42 0-1.33.96-2.42 2.16-2.42 1.21 0 2.18 1.1 2.16 2.42 0 1.34-.96 2.42-2.16 2.42zm7.97 0c-1.18 0-2.15-1.08-2.15-2.42 0-1.33.95-2.42 2.15-2.42 1.22 0 2.18 1.1 2.16 2.42 0 1.34-.94 2.42-2.16 2.42z",
    },
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

export default discord;
