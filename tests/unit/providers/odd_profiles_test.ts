/** Vendors whose profiles need a request of their own, wrap the person, or leave an id or a picture to be made of a text. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { OAuthProviderError } from "../../../src/kernel/errors.ts";
import { shikimori } from "../../../src/providers/shikimori.ts";
import { startGg } from "../../../src/providers/start_gg.ts";
import { strava } from "../../../src/providers/strava.ts";
import { synology } from "../../../src/providers/synology.ts";
import { tiktok } from "../../../src/providers/tiktok.ts";
import { tumblr } from "../../../src/providers/tumblr.ts";
import { twitter } from "../../../src/providers/twitter.ts";
import { vk } from "../../../src/providers/vk.ts";
import { webex } from "../../../src/providers/webex.ts";
import { wikimedia } from "../../../src/providers/wikimedia.ts";
import { x } from "../../../src/providers/x.ts";
import { yandex } from "../../../src/providers/yandex.ts";
import { zoom } from "../../../src/providers/zoom.ts";
import { readProfile, urlsOf, userOf } from "../../_support/one_provider.ts";

test("an answer with the status 200 that is an error is no profile", async () => {
  const rows = [
    [startGg(), { errors: [{ message: "Not authenticated" }] }],
    [startGg(), { data: { currentUser: null } }],
    [startGg(), { success: false, message: "Invalid authentication token" }],
    [tiktok(), { data: { user: { open_id: "1" } }, error: { code: "scope_not_authorized", message: "canary" } }],
    [vk(), { error: "invalid_token", error_description: "canary" }],
    [vk(), []],
  ] as const;
  for (const [provider, answer] of rows) {
    await assert.rejects(readProfile(provider, [Response.json(answer)]), (error) => {
      assert.ok(error instanceof OAuthProviderError, JSON.stringify(answer));
      assert.match(error.message, /^Cannot read profile: (?:start\.gg|TikTok|VK) answered with/);
      assert.doesNotMatch(error.message, /canary/);
      return true;
    });
  }
});

test("twitter() asks for the address only with the scope, and takes it for verified", async () => {
  const answer = { data: { id: "1", name: "Ada" } };
  const withEmail = { data: { id: "1", confirmed_email: "ada@example.com" } };
  const without = await readProfile(twitter(), [Response.json(answer)], { scope: "users.read tweet.read" });
  assert.deepEqual(without.profile, { data: { ...answer.data, confirmed_email: null } });
  const scope = "users.email users.read";
  const asked = await readProfile(twitter(), [Response.json(answer), Response.json(withEmail)], { scope });
  const email = withEmail.data.confirmed_email;
  assert.deepEqual(asked.profile, { data: { ...answer.data, ...withEmail.data }, email, email_verified: true });
  assert.deepEqual(asked.requests.map(({ url }) => url), [
    "https://api.x.com/2/users/me?user.fields=profile_image_url",
    "https://api.x.com/2/users/me?user.fields=confirmed_email",
  ]);
  const refusals = [Response.json({}, { status: 403 }), Response.json({}), Response.json({ data: { id: "1" } })];
  for (const refusal of refusals) {
    const { profile } = await readProfile(twitter(), [Response.json(answer), refusal], { scope });
    assert.equal(profile.email_verified, undefined);
    assert.equal((await userOf(twitter(), profile)).email, null);
  }
});

test("x() is twitter() with its present name", () => {
  const { name, style, profile: _, userinfo, token, ...others } = x();
  const old = twitter();
  assert.deepEqual({ name, style }, { name: "X", style: old.style });
  const { name: __, style: ___, profile: ____, userinfo: oldUserinfo, token: oldToken, ...oldOthers } = old;
  assert.deepEqual(others, oldOthers);
  assert.deepEqual(Object.keys({ ...userinfo as object, ...token as object }), [
    ...Object.keys({ ...oldUserinfo as object, ...oldToken as object }),
  ]);
  const { id }: { readonly id: "twitter" } = x();
  assert.equal(id, "twitter");
  assert.equal(x({ id: "mine" }).id, "mine");
});

test("an address is verified if the vendor says exactly that", async () => {
  for (
    const [confirmed_email, expected] of [[true, true], [false, false], ["true", false], [1, false], [null, false]]
  ) {
    const { profile } = await readProfile(wikimedia(), [Response.json({ confirmed_email, email_verified: true })]);
    assert.equal(profile.email_verified, expected);
  }
  for (const [verified, expected] of [[1, true], [0, false], ["1", false], [true, false], [undefined, false]]) {
    const { profile } = await readProfile(zoom(), [Response.json({ verified, email_verified: true })]);
    assert.equal(profile.email_verified, expected);
  }
});

test("a picture is a URL, and of an id that is one", async () => {
  const general = { id: 1, profile: "avatar/athlete/large.png", profile_medium: "avatar/athlete/medium.png" };
  assert.equal((await userOf(strava(), general)).image, null);
  assert.equal((await userOf(strava(), { ...general, profile: "https://a.test/1" })).image, "https://a.test/1");
  const rows: [profile: object, image: string | null][] = [
    [{ default_avatar_id: "1/a-b_c" }, "https://avatars.yandex.net/get-yapic/1/a-b_c/islands-200"],
    [{ default_avatar_id: "1/a-b", is_avatar_empty: true }, null],
    [{ default_avatar_id: "../a" }, null],
    [{ default_avatar_id: "1?a" }, null],
    [{ default_avatar_id: "" }, null],
    [{}, null],
  ];
  for (const [profile, image] of rows) assert.equal((await userOf(yandex(), { id: "1", ...profile })).image, image);
  const { id, image } = await userOf(tumblr(), { response: { user: { name: "../a?b" } } });
  assert.deepEqual([id, image], ["../a?b", "https://api.tumblr.com/v2/blog/..%2Fa%3Fb/avatar/128"]);
});

test("a site of its own is an option, whose slash at the end does not matter", async () => {
  const wiki = wikimedia({ baseUrl: "https://wiki.example.com/rest.php/" });
  assert.deepEqual(urlsOf(wiki), [
    "https://wiki.example.com/rest.php/oauth2/authorize",
    "https://wiki.example.com/rest.php/oauth2/access_token",
    "https://wiki.example.com/rest.php/oauth2/resource/profile",
  ]);
  assert.deepEqual(wiki.options, {});
  const { requests: [asked] } = await readProfile(wiki, [Response.json({})]);
  assert.equal(asked?.url, "https://wiki.example.com/rest.php/oauth2/resource/profile");
  const list = shikimori({ baseUrl: "https://shikimori.io/", applicationName: "Ada" });
  const { requests: [whoami] } = await readProfile(list, [Response.json({})]);
  assert.equal(whoami?.url, "https://shikimori.io/api/users/whoami");
  assert.equal(whoami.headers.get("user-agent"), "Ada");
  assert.deepEqual(urlsOf(webex({ apiBaseUrl: "https://gov.example.com/v1/" })), [
    "https://gov.example.com/v1/authorize",
    "https://gov.example.com/v1/access_token",
    "https://gov.example.com/v1/people/me",
  ]);
  assert.deepEqual(urlsOf(synology({ issuer: "https://nas.example.com/webman/sso/" })).slice(-3), [
    "https://nas.example.com/webman/sso/SSOOauth.cgi",
    "https://nas.example.com/webman/sso/SSOAccessToken.cgi",
    "https://nas.example.com/webman/sso/SSOUserInfo.cgi",
  ]);
});
