/**
 * Who comes from Auth.js with one of its provider objects, and takes the provider of the same id from this catalogue, asks
 * the vendor for the same and gets the same user. What differs on purpose is listed, with the reason.
 *
 * That the objects themselves are accepted, and do the same here as there, is tested in `provider_objects_test.ts`.
 */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { type AuthConfig, createAuth, type Provider } from "@x/auth";
import { make, ORIGIN, Visitor } from "../_support/both_libraries.ts";
import { CatalogueDouble } from "../_support/catalogue_double.ts";
import { type Entry, factoryName, isChosen, readEntry, recordedFiles, subpathOf } from "../_support/catalogue_facts.ts";
import { OAUTH_ROWS } from "../_support/provider_objects.ts";
import { SECRET } from "../_support/service.ts";

const CLIENT = { clientId: "client-1", clientSecret: "0123456789abcdef0123456789abcdef" } as const;

/** What is compared. */
type Field = "endpoint" | "scope" | "pkce" | "nonce" | "parameters" | "id" | "name" | "email" | "image" | "sign-in";

/** Differences that several providers have. */
interface Difference {
  readonly fields: readonly Field[];
  readonly reason: string;
  /** The ids, separated by spaces. */
  readonly ids: string;
}

const DIFFERENCES: readonly Difference[] = [
  {
    fields: ["pkce"],
    reason:
      "The vendor is not known to check a code challenge. `state` binds its response to the browser, here and there.",
    ids:
      "42-school battlenet bitbucket box bungie concept2 dribbble eventbrite facebook foursquare freshbooks hubspot " +
      "instagram kakao mailchimp mailru mattermost naver netlify nextcloud notion osu patreon pinterest pipedrive " +
      "simplelogin strava tiktok todoist trakt twitch wordpress zoho",
  },
  {
    fields: ["pkce"],
    reason: "The vendor checks code challenges, and its object asks for `state` alone.",
    ids: "eveonline figma line netsuite",
  },
  {
    fields: ["nonce"],
    reason: "The id_token is bound to the browser by a nonce, besides what the object asks for.",
    ids: "descope fusionauth huggingface kinde line okta roblox",
  },
  {
    fields: ["scope"],
    reason: "The server has none of these scopes. Auth.js sends them to every server unless its object has others.",
    ids:
      "battlenet box boxyhq-saml bungie click-up foursquare freshbooks mailchimp mattermost naver nextcloud notion " +
      "pipedrive workos",
  },
  { fields: ["scope"], reason: "Writing results is not needed to sign in.", ids: "concept2" },
  { fields: ["scope"], reason: "The scope for the name is written out, and given to everybody.", ids: "facebook" },
  { fields: ["scope"], reason: "The vendor replaced the scope `files:read`.", ids: "figma" },
  { fields: ["endpoint"], reason: "The version in the path has reached its end.", ids: "facebook" },
  { fields: ["endpoint"], reason: "The vendor's guide has this path.", ids: "freshbooks" },
  { fields: ["endpoint"], reason: "The same page has two addresses.", ids: "strava yandex" },
  {
    fields: ["endpoint"],
    reason: "The vendor writes a slash at the end, and tells paths with and without it apart.",
    ids: "pinterest tiktok",
  },
  {
    fields: ["endpoint", "scope"],
    reason:
      "The object is for pages inside the app of WeChat; the default here is the QR code for all others, and an option chooses.",
    ids: "wechat",
  },
  { fields: ["parameters"], reason: "The vendor's guide asks for consent each time.", ids: "atlassian" },
  { fields: ["parameters"], reason: "Whether the address is verified is asked for, too.", ids: "twitch" },
  {
    fields: ["sign-in"],
    reason: "The URL of userinfo has a placeholder, and the vendor demands an API key.",
    ids: "bungie",
  },
  {
    fields: ["sign-in"],
    reason: "The vendor leaves out `token_type`, which RFC 6749 demands. It is added here.",
    ids: "click-up foursquare mailchimp threads",
  },
  {
    fields: ["sign-in"],
    reason: "With the scope `openid` alone the vendor sends no access token. Nothing here needs one.",
    ids: "azure-ad-b2c",
  },
  { fields: ["sign-in"], reason: "The userinfo endpoint of the object has ended.", ids: "eveonline patreon todoist" },
  { fields: ["sign-in"], reason: "The object asks endpoints of the version that ends in 2027.", ids: "hubspot" },
  {
    fields: ["endpoint", "scope", "sign-in"],
    reason: "The object signs in with Instagram Basic Display, which has ended.",
    ids: "instagram",
  },
  {
    fields: ["endpoint", "parameters", "sign-in"],
    reason: "The object signs in with OAuth VKontakte, which VK ID has replaced.",
    ids: "vk",
  },
  {
    fields: ["email"],
    reason: "The address takes a request of its own, which the object does not make.",
    ids: "bitbucket",
  },
  {
    fields: ["email"],
    reason: "The vendor gives the address as `confirmed_email`, which the object does not read.",
    ids: "twitter",
  },
  {
    fields: ["email"],
    reason: "Without the claim `email`, the name to sign in with is the address.",
    ids: "microsoft-entra-id",
  },
  { fields: ["name"], reason: "The vendor has the name as `nickname`, which the object does not read.", ids: "faceit" },
  {
    fields: ["image"],
    reason: "The vendor has the picture in a member that the object does not read.",
    ids: "frontegg mailru reddit",
  },
  {
    fields: ["image"],
    reason: "The id is encoded in the URL, because it may have a space or a slash in it.",
    ids: "nextcloud",
  },
  { fields: ["id"], reason: "People can change their username. The API gives an id that stays.", ids: "pinterest" },
];

/** Providers of Auth.js that are not in this catalogue. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "azure-devops": "Applications can no longer be registered, and the service ends in 2026.",
  "identity-server4": "It has not been maintained since 2022. Its successor is Duende IdentityServer.",
  "medium": "Its API is archived, and applications can no longer be registered.",
  "osso": "It is no longer maintained.",
  "passage": "The service has ended.",
};

/** Options of objects that have other names there. */
const OPTIONS: Readonly<Record<string, object>> = {
  "boxyhq-saml": { authorization: { params: { tenant: "example.org", product: "demo" } } },
  "azure-ad-b2c": {
    issuer: "https://example.b2clogin.com/1a2b3c4d-5e6f-4071-8293-a4b5c6d7e8f9/v2.0/",
    wellKnown:
      "https://example.b2clogin.com/example.onmicrosoft.com/B2C_1_signin/v2.0/.well-known/openid-configuration",
  },
  "slack": { authorization: { params: { team: "T0R7GR000" } } },
};

/** URLs of objects that lead to the same as ours. */
const SAME: Readonly<Record<string, string>> = {
  "https://graph.facebook.com/oauth/access_token": "https://graph.facebook.com/v24.0/oauth/access_token",
  "https://graph.facebook.com/me": "https://graph.facebook.com/v24.0/me",
  "https://oauth.yandex.ru/token": "https://oauth.yandex.com/token",
  "https://cloud.example.com/ocs/v1.php/cloud/users/ada%20lovelace": "https://cloud.example.com/ocs/v2.php/cloud/user",
  "https://api.pipedrive.com/users/me": "https://api.pipedrive.com/v1/users/me",
  "https://public-api.wordpress.com/rest/v1/me": "https://public-api.wordpress.com/rest/v1.1/me",
  "https://open.tiktokapis.com/v2/user/info": "https://open.tiktokapis.com/v2/user/info/",
};

const realFetch = globalThis.fetch;

afterEach(() => {
  globalThis.fetch = realFetch;
});

interface SignedIn {
  readonly url: URL;
  readonly end: string;
  readonly user: Readonly<Record<string, unknown>>;
}

async function signIn(entry: Entry, provider: object, double: CatalogueDouble): Promise<SignedIn> {
  let user: SignedIn["user"] = {};
  let accountId: unknown;
  const errors: unknown[] = [];
  // Objects of Auth.js have functions that ask the network by themselves.
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    const url = SAME[withoutQuery(request.url)];
    return double.fetch(url ? new Request(url + new URL(request.url).search, request) : request);
  };
  const config: AuthConfig = {
    secret: SECRET,
    trustHost: true,
    providers: [provider as Provider],
    logger: { error: (error) => void errors.push(error), warn: () => {}, debug: () => {} },
    callbacks: {
      signIn(message) {
        user = { ...message.user };
        accountId = message.account?.providerAccountId;
        return true;
      },
    },
  };
  const { id } = entry.facts;
  const visitor = new Visitor(createAuth(config).handler);
  const url = await visitor.start(id);
  const { params, posted } = double.consent(url);
  const end = await visitor.comeBack(id, params, posted);
  return {
    url,
    end: end.href === `${ORIGIN}/` ? "signed in" : `refused: ${errors.join()}`,
    user: { ...user, id: accountId },
  };
}

function withoutQuery(text: string): string {
  const { origin, pathname } = new URL(text);
  return origin + pathname;
}

/** Parameters that are compared by themselves, or that are random. */
const APART = ["scope", "state", "nonce", "code_challenge", "code_challenge_method"];

function compared({ url, end, user }: SignedIn, separator: string): Readonly<Record<Field, unknown>> {
  const { searchParams: params } = url;
  const others = [...params].filter(([name]) => !APART.includes(name)).toSorted();
  return {
    "endpoint": url.origin + url.pathname + url.hash,
    "scope": (params.get("scope") ?? "").split(separator).flatMap((scope) => scope.split(" ")).toSorted().join(" "),
    "pkce": params.get("code_challenge_method"),
    "nonce": params.has("nonce"),
    "parameters": Object.fromEntries(others),
    "sign-in": end.split(":")[0],
    "id": user.id ?? null,
    "name": user.name ?? null,
    "email": user.email ?? null,
    "image": user.image ?? null,
  };
}

/** What differs between a provider of Auth.js and ours: both values, by field. */
async function differences(entry: Entry, module: string): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const { sample, file, facts } = entry;
  const { [factoryName(file)]: factory }: Record<string, unknown> = await import(`@x/auth/${subpathOf(file)}`);
  const our = (factory as (options: object) => object)({ ...CLIENT, ...sample.options });
  const row = OAUTH_ROWS[module];
  const double = new CatalogueDouble(entry, CLIENT, { isLenient: true });
  const written = { ...row?.options, ...row?.optionsForAuthJs, ...sample.options };
  const issuer = "issuer" in written && double.issuer ? { issuer: double.issuer } : {};
  const given = { ...CLIENT, ...written, ...issuer, ...OPTIONS[facts.id] };
  const their = await make(module, given);
  const ours = await signIn(entry, our, new CatalogueDouble(entry, CLIENT));
  const theirs = await signIn(entry, their, double);
  const [here, there] = [ours, theirs].map((side) => compared(side, facts.scope_separator));
  assert.equal(here?.["sign-in"], "signed in", ours.end);
  const isRefused = there?.["sign-in"] !== "signed in";
  const fields = Object.keys(here).filter((field) => {
    // Nothing is known of somebody who is refused.
    return !(isRefused && ["id", "name", "email", "image"].includes(field));
  });
  return Object.fromEntries(
    fields.map((field) =>
      [field, [here[field as Field], field === "sign-in" ? theirs.end : there?.[field as Field]]] as const
    )
      .filter(([field, [a, b]]) => {
        return field === "sign-in" ? isRefused : JSON.stringify(a) !== JSON.stringify(b);
      }),
  );
}

const modules = Object.keys(OAUTH_ROWS);
const ids = new Map(
  await Promise.all(modules.map(async (module) => {
    return [module, (await make(module, { ...CLIENT, ...OAUTH_ROWS[module]?.options })).id] as const;
  })),
);

for (const [module, id] of ids) {
  const file = id.replaceAll("-", "_");
  if (!recordedFiles().includes(file)) {
    test(`${module} of Auth.js is left out for a reason`, () => assert.match(LEFT_OUT[id] ?? "", /^[A-Z].+\.$/));
    continue;
  }
  if (!isChosen(file)) continue;
  const entry = readEntry(file);

  test(`${module}: the authorization URL and the user are those of the provider of Auth.js, or differ for a reason`, async () => {
    const found = await differences(entry, module);
    const listed = DIFFERENCES.filter(({ ids }) => ids.split(" ").includes(id)).flatMap(({ fields }) => fields);
    const unlisted = Object.entries(found).filter(([field]) => !listed.includes(field as Field));
    assert.deepEqual(Object.fromEntries(unlisted), {}, "here, there");
    assert.deepEqual(listed.filter((field) => !(field in found)), [], "no difference any more");
  });
}

test("every difference from Auth.js has a reason, and belongs to a provider that both have", () => {
  for (const { reason, ids: listed } of DIFFERENCES) {
    assert.match(reason, /^[A-Z].+\.$/s);
    assert.deepEqual(listed.split(" ").filter((id) => ![...ids.values()].includes(id)), []);
  }
  assert.deepEqual(Object.keys(LEFT_OUT).filter((id) => ![...ids.values()].includes(id)), []);
});
