/**
 * The provider objects of `@auth/core`: what each is made with, and what its provider answers. The shapes of the answers
 * are those that the vendors document.
 */
import { createHash, createHmac } from "node:crypto";
import { encode, makeKey, type SigningKey, signJws } from "./issuer.ts";

export const CLIENT = { clientId: "client-1", clientSecret: "0123456789abcdef0123456789abcdef" } as const;

type Members = Readonly<Record<string, unknown>>;

/** What one provider is made with, and how it answers. */
export interface ProviderRow {
  /** Options beside the id and secret of the client. */
  readonly options?: Members;
  /** Options without which Auth.js refuses the provider. */
  readonly optionsForAuthJs?: Members;
  /** What the userinfo endpoint answers, or the claims of the id_token beside those of the protocol. */
  readonly profile?: Members;
  /** Members of the token response. */
  readonly tokens?: Members;
  /** Answers of other URLs, without their queries. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** The issuer in the metadata and the id_token, where it is not the configured one. */
  readonly issuer?: string;
  /** How id_tokens are signed. @default {"RS256"} */
  readonly alg?: "RS256" | "ES256" | "HS256";
  /** Members of the metadata. */
  readonly metadata?: Members;
  /** Whether the answer of userinfo is signed. */
  readonly signsUserinfo?: boolean;
  /** What the browser brings back beside `code` and `state`. */
  readonly callback?: Readonly<Record<string, string>>;
}

const NAME = "Ada Lovelace";
const EMAIL = "Ada@Example.com";
const IMAGE = "https://img.test/ada.png";

const withIssuer = (issuer: string, row: ProviderRow = {}): ProviderRow => ({
  ...row,
  options: { issuer, ...row.options },
});

const TENANT = "72f988bf-86f1-41af-91ab-2d7cd011db47";
const MICROSOFT = "https://login.microsoftonline.com";

const microsoft: ProviderRow = {
  profile: { tid: TENANT, name: NAME, email: EMAIL, preferred_username: "ada@example.com" },
  issuer: `${MICROSOFT}/${TENANT}/v2.0`,
  answers: {
    [`${MICROSOFT}/common/v2.0/.well-known/openid-configuration`]: metadataOf(
      `${MICROSOFT}/{tenantid}/v2.0`,
      `${MICROSOFT}/common/oauth2/v2.0`,
    ),
    [`${MICROSOFT}/${TENANT}/v2.0/.well-known/openid-configuration`]: metadataOf(
      `${MICROSOFT}/${TENANT}/v2.0`,
      `${MICROSOFT}/${TENANT}/oauth2/v2.0`,
    ),
    "https://graph.microsoft.com/v1.0/me/photos/48x48/$value": "bytes of a photo",
  },
};

/** The rows of all providers with OAuth or OpenID Connect, by the name of their module. */
export const OAUTH_ROWS: Readonly<Record<string, ProviderRow>> = {
  "42-school": { profile: { id: 42, usual_full_name: NAME, email: EMAIL, image: { link: IMAGE } } },
  "apple": {
    profile: { email: EMAIL, email_verified: "true" },
    callback: { user: JSON.stringify({ name: { firstName: "Ada", lastName: "Lovelace" }, email: EMAIL }) },
    metadata: { userinfo_endpoint: undefined },
  },
  "asgardeo": withIssuer("https://api.asgardeo.io/t/acme/oauth2/token"),
  "atlassian": { profile: { account_id: "a-1", name: NAME, email: EMAIL, picture: IMAGE } },
  "auth0": withIssuer("https://acme.eu.auth0.com", { issuer: "https://acme.eu.auth0.com/" }),
  "authentik": withIssuer("https://sso.acme.test/application/o/app/"),
  "azure-ad": microsoft,
  "azure-ad-b2c": withIssuer("https://acme.b2clogin.com/tfp/11111111-1111-1111-1111-111111111111/b2c_1_in/v2.0/", {
    profile: { name: NAME, emails: [EMAIL] },
  }),
  "azure-devops": {
    profile: {
      id: "d-1",
      displayName: NAME,
      emailAddress: EMAIL,
      coreAttributes: { Avatar: { value: { value: "aGk=" } } },
    },
    tokens: { expires_in: "3600", refresh_token: "r" },
  },
  "bankid-no": { profile: { name: NAME, birthdate: "1815-12-10" }, signsUserinfo: true },
  "battlenet": withIssuer("https://oauth.battle.net", { profile: { battle_tag: "ada#1815" } }),
  "beyondidentity": withIssuer("https://auth.byndid.com/v2"),
  "bitbucket": {
    profile: { account_id: "b-1", display_name: NAME, username: "ada", links: { avatar: { href: IMAGE } } },
    tokens: { scopes: "account", expires_in: 7200 },
  },
  "box": { profile: { type: "user", id: "11", name: NAME, login: EMAIL, avatar_url: IMAGE } },
  "boxyhq-saml": withIssuer("https://saml.acme.test", {
    profile: { id: "s-1", email: EMAIL, firstName: "Ada", lastName: "Lovelace" },
  }),
  "bungie": {
    profile: {
      Response: { bungieNetUser: { membershipId: "7", displayName: "Ada", profilePicturePath: "/img/a.gif" } },
      ErrorCode: 1,
    },
    tokens: { membership_id: "7" },
  },
  "click-up": { profile: { user: { id: 5, username: NAME, color: "#fff", profilePicture: IMAGE } } },
  "cognito": withIssuer("https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_abc"),
  "coinbase": { profile: { data: { id: "c-1", name: NAME, email: EMAIL, avatar_url: IMAGE } } },
  "concept2": { profile: { data: { id: 7, username: "ada", email: EMAIL, profile_image: IMAGE } } },
  "descope": {},
  "discord": {
    profile: {
      id: "80351110224678912",
      username: "ada",
      global_name: NAME,
      discriminator: "0",
      avatar: "a_1",
      email: EMAIL,
      verified: true,
    },
  },
  "dribbble": { options: { scope: "public" }, profile: { id: 8, name: NAME, email: EMAIL, avatar_url: IMAGE } },
  "dropbox": {
    profile: { account_id: "dbid:1", name: { display_name: NAME }, email: EMAIL, profile_photo_url: IMAGE },
  },
  "duende-identity-server6": withIssuer("https://demo.duendesoftware.com"),
  "eventbrite": {
    profile: { id: "9", name: NAME, emails: [{ email: EMAIL, primary: true, verified: true }], image_id: "3" },
  },
  "eveonline": { profile: { CharacterID: 95465499, CharacterName: "Ada" }, tokens: { expires_in: 1199 } },
  "facebook": { profile: { id: "10", name: NAME, email: EMAIL, picture: { data: { url: IMAGE } } } },
  "faceit": { profile: { guid: "f-1", name: NAME, nickname: "ada", email: EMAIL, picture: IMAGE } },
  "figma": { profile: { id: "11", handle: NAME, email: EMAIL, img_url: IMAGE } },
  "foursquare": {
    profile: {
      response: {
        user: {
          id: "12",
          firstName: "Ada",
          lastName: "Lovelace",
          contact: { email: EMAIL },
          photo: { prefix: "https://img.test/", suffix: "/ada.png" },
        },
      },
    },
  },
  "freshbooks": { profile: { response: { id: 13, first_name: "Ada", last_name: "Lovelace", email: EMAIL } } },
  "frontegg": withIssuer("https://acme.frontegg.com", {
    answers: {
      "https://acme.frontegg.com/oauth/.well-known/openid-configuration": metadataOf("https://acme.frontegg.com"),
    },
  }),
  "fusionauth": withIssuer("https://acme.fusionauth.io", {
    options: { tenantId: "t-1" },
    profile: { given_name: "Ada", family_name: "Lovelace", email: EMAIL, picture: IMAGE },
  }),
  "github": {
    profile: { id: 583231, login: "ada", name: NAME, email: null, avatar_url: IMAGE },
    tokens: { scope: "read:user,user:email", expires_in: undefined },
    answers: {
      "https://api.github.com/user/emails": [
        { email: "other@example.com", primary: false, verified: true },
        { email: EMAIL, primary: true, verified: true },
      ],
    },
  },
  "gitlab": { profile: { id: 14, username: "ada", name: NAME, email: EMAIL, avatar_url: IMAGE } },
  "google": { profile: { name: NAME, email: EMAIL, email_verified: true, picture: IMAGE } },
  "hubspot": {
    profile: { user_id: 15, user: EMAIL, hub_id: 1 },
    answers: { "https://api.hubapi.com/oauth/v1/access-tokens/access-1": { user_id: 15, user: EMAIL, hub_id: 1 } },
  },
  "huggingface": {},
  "identity-server4": withIssuer("https://demo.identityserver.io"),
  "instagram": { profile: { id: "16", username: "ada", account_type: "BUSINESS", name: NAME } },
  "kakao": {
    profile: {
      id: 17,
      kakao_account: { profile: { nickname: NAME, profile_image_url: IMAGE }, email: EMAIL, is_email_verified: true },
    },
  },
  "keycloak": withIssuer("https://sso.acme.test/realms/acme"),
  "kinde": withIssuer("https://acme.kinde.com"),
  "line": { alg: "HS256", metadata: { id_token_signing_alg_values_supported: ["ES256"] } },
  "linkedin": {},
  "logto": withIssuer("https://acme.logto.app/oidc", {
    profile: { name: null, username: "ada", email: EMAIL, picture: IMAGE },
  }),
  "mailchimp": { profile: { accountname: NAME, login: { login_id: 18, email: EMAIL } }, tokens: { expires_in: 0 } },
  "mailru": { profile: { id: "19", name: NAME, nickname: "ada", email: EMAIL, image: IMAGE } },
  "mastodon": withIssuer("https://mastodon.social", {
    profile: { id: "20", username: "ada", avatar_static: IMAGE },
  }),
  "mattermost": withIssuer("https://chat.acme.test", { profile: { id: "m-1", username: "ada", email: EMAIL } }),
  "medium": { profile: { data: { id: "21", name: NAME, imageUrl: IMAGE } } },
  "microsoft-entra-id": microsoft,
  "naver": {
    profile: {
      resultcode: "00",
      message: "success",
      response: { id: "n-1", nickname: "ada", email: EMAIL, profile_image: IMAGE },
    },
    tokens: { expires_in: "3600" },
  },
  "netlify": { profile: { id: "22", full_name: NAME, email: EMAIL, avatar_url: IMAGE } },
  "netsuite": {
    optionsForAuthJs: { issuer: "https://netsuite.com" },
    options: {
      accountID: "1234567",
      userinfo: "https://1234567.restlets.api.netsuite.com/app/site/hosting/restlet.nl?script=1&deploy=1",
    },
    profile: { id: 23, name: NAME, email: EMAIL },
  },
  "nextcloud": withIssuer("https://cloud.acme.test", {
    tokens: { user_id: "ada" },
    answers: {
      "https://cloud.acme.test/ocs/v1.php/cloud/users/ada": {
        ocs: { data: { id: "ada", displayname: NAME, email: EMAIL } },
      },
    },
  }),
  "notion": {
    options: { redirectUri: "https://app.test/auth/callback/notion" },
    answers: {
      "https://api.notion.com/v1/users/me": {
        bot: { owner: { user: { id: "24", name: NAME, avatar_url: IMAGE, person: { email: EMAIL } } } },
      },
    },
    tokens: { expires_in: undefined, workspace_id: "w", owner: { type: "user" } },
  },
  "okta": withIssuer("https://acme.okta.com/oauth2/default"),
  "onelogin": withIssuer("https://acme.onelogin.com/oidc/2"),
  "ory-hydra": withIssuer("https://acme.projects.oryapis.com"),
  "osso": withIssuer("https://demo.ossoapp.com/", { profile: { id: "25", email: EMAIL, name: NAME } }),
  "osu": { profile: { id: 26, username: "ada", avatar_url: IMAGE } },
  "passage": withIssuer("https://acme.withpassage.com"),
  "patreon": { profile: { data: { id: "27", attributes: { full_name: NAME, email: EMAIL, image_url: IMAGE } } } },
  "ping-id": withIssuer("https://auth.pingone.eu/environment/as"),
  "pinterest": { profile: { username: "ada", profile_image: IMAGE } },
  "pipedrive": {
    profile: { success: true, data: { id: 28, name: NAME, email: EMAIL, icon_url: IMAGE } },
    tokens: { api_domain: "https://acme.pipedrive.com" },
  },
  "reddit": { profile: { id: "29", name: "ada", icon_img: IMAGE } },
  "roblox": { alg: "ES256", metadata: { id_token_signing_alg_values_supported: ["ES256"] } },
  "salesforce": { profile: { user_id: "005", name: NAME, email: EMAIL, picture: IMAGE } },
  "simplelogin": { profile: { name: NAME, email: EMAIL, avatar_url: IMAGE } },
  "slack": {},
  "spotify": { profile: { id: "ada", display_name: NAME, email: EMAIL, images: [{ url: IMAGE }] } },
  "strava": {
    profile: { id: 30, firstname: "Ada", lastname: "Lovelace", profile: IMAGE },
    tokens: { expires_at: 1893456000, athlete: { id: 30 } },
  },
  "threads": { profile: { data: { id: "31", username: "ada", threads_profile_picture_url: IMAGE } } },
  "tiktok": {
    profile: {
      data: { user: { open_id: "o-1", display_name: NAME, avatar_url: IMAGE } },
      error: { code: "ok", message: "" },
    },
    tokens: { open_id: "o-1", scope: "user.info.basic" },
  },
  "todoist": {
    optionsForAuthJs: { issuer: "https://todoist.com" },
    answers: {
      "https://api.todoist.com/sync/v9/sync": { user: { id: "32", email: EMAIL, full_name: NAME, avatar_big: IMAGE } },
    },
    tokens: { expires_in: undefined },
  },
  "trakt": { profile: { username: "ada", name: NAME, ids: { slug: "ada" }, images: { avatar: { full: IMAGE } } } },
  "twitch": {
    profile: { preferred_username: "ada", email: EMAIL, picture: IMAGE },
    tokens: { scope: ["openid", "user:read:email"] },
  },
  "twitter": { profile: { data: { id: "33", name: NAME, username: "ada", profile_image_url: IMAGE } } },
  "united-effects": withIssuer("https://auth.unitedeffects.com/group"),
  "vipps": { profile: { name: NAME, email: EMAIL, email_verified: true } },
  "vk": {
    profile: { response: [{ id: 34, first_name: "Ada", last_name: "Lovelace", photo_100: IMAGE }] },
    tokens: { user_id: 34, email: EMAIL },
  },
  "webex": { profile: { id: "35", emails: [EMAIL], displayName: NAME, avatar: IMAGE } },
  "wechat": {
    profile: { openid: "o-2", unionid: "u-2", nickname: "ada", headimgurl: IMAGE },
    tokens: { token_type: undefined, openid: "o-2", unionid: "u-2", scope: "snsapi_userinfo" },
  },
  "wikimedia": { profile: { sub: "36", username: "Ada", email: EMAIL } },
  "wordpress": { profile: { ID: 37, display_name: NAME, email: EMAIL, avatar_URL: IMAGE } },
  "workos": {
    options: { connection: "conn_1" },
    profile: {
      id: "prof_1",
      first_name: "Ada",
      last_name: "Lovelace",
      email: EMAIL,
      raw_attributes: { picture: IMAGE },
    },
  },
  "yandex": {
    profile: { id: "38", display_name: "ada", default_email: EMAIL, default_avatar_id: "1/2", is_avatar_empty: false },
  },
  "zitadel": withIssuer("https://acme.zitadel.cloud"),
  "zoho": { profile: { ZUID: 39, First_Name: "Ada", Last_Name: "Lovelace", Email: EMAIL } },
  "zoom": { profile: { id: "z-1", first_name: "Ada", last_name: "Lovelace", email: EMAIL, pic_url: IMAGE } },
};

/** A provider object, as far as the double has to know it. */
export interface ProviderObject {
  readonly id: string;
  readonly type: string;
  readonly issuer?: string;
  readonly token?: unknown;
  readonly userinfo?: unknown;
  readonly options?: ProviderObject;
  readonly [member: string]: unknown;
}

/** A request that the double got. */
export interface Received {
  readonly kind: "metadata" | "keys" | "token" | "userinfo" | "other" | "unknown";
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
}

function metadataOf(issuer: string, base = new URL(issuer.replace(/[{}]/g, "")).origin): Members {
  return {
    issuer,
    authorization_endpoint: `${base}/double/authorize?kept=1`,
    token_endpoint: `${base}/double/token`,
    userinfo_endpoint: `${base}/double/userinfo`,
    jwks_uri: `${new URL(base).origin}/double/keys`,
    id_token_signing_alg_values_supported: ["RS256"],
  };
}

const KEYS: Readonly<Record<string, SigningKey>> = { RS256: makeKey("RS256"), ES256: makeKey("ES256") };

const SUBJECT = "sub-1";

/** Answers in place of a provider, and remembers what it was asked. */
export class ProviderDouble {
  readonly received: Received[] = [];
  readonly #row: ProviderRow;
  readonly #issuer: string | undefined;
  readonly #found: string;
  readonly #token: string | undefined;
  readonly #userinfo: string | undefined;
  readonly #type: string;
  #asked = new URLSearchParams();

  constructor(row: ProviderRow, { options, ...facts }: ProviderObject) {
    this.#row = row;
    this.#type = facts.type;
    this.#issuer = options?.issuer ?? facts.issuer;
    this.#found = row.issuer ?? this.#issuer ?? "";
    this.#token = urlOf(options?.token) ?? urlOf(facts.token);
    this.#userinfo = urlOf(options?.userinfo) ?? urlOf(facts.userinfo);
  }

  /** Agrees to a sign-in, as the person would, and gives the parameters of the callback. */
  consent(location: URL): URLSearchParams {
    this.#asked = location.searchParams;
    const state = this.#asked.get("state");
    return new URLSearchParams({ code: "code-1", ...(state && { state }), ...this.#row.callback });
  }

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const body = await request.clone().text();
    const { kind, answer } = this.#answer(url, request.headers, body);
    this.received.push({ kind, method: request.method, url, headers: request.headers, body });
    return answer;
  };

  #answer(
    url: URL,
    headers: Headers,
    body: string,
  ): { readonly kind: Received["kind"]; readonly answer: Response } {
    const plain = url.origin + url.pathname;
    const { answers = {} } = this.#row;
    const metadata = this.#metadata();
    if (Object.hasOwn(answers, plain)) {
      const answer = answers[plain];
      const isText = typeof answer === "string";
      return { kind: "other", answer: isText ? new Response(answer) : Response.json(answer) };
    }
    if (this.#issuer && url.href === `${this.#issuer.replace(/\/$/, "")}/.well-known/openid-configuration`) {
      return { kind: "metadata", answer: Response.json(metadata) };
    }
    if (plain === (this.#token ?? metadata.token_endpoint)) {
      return { kind: "token", answer: this.#tokens(headers, body, url) };
    }
    if (plain === (this.#userinfo ?? metadata.userinfo_endpoint)) {
      return { kind: "userinfo", answer: this.#person(headers, url) };
    }
    if (plain === metadata.jwks_uri) {
      return { kind: "keys", answer: Response.json({ keys: Object.values(KEYS).map(({ jwk }) => jwk) }) };
    }
    if (/\/double\/token$/.test(plain)) return { kind: "token", answer: this.#tokens(headers, body, url) };
    return { kind: "unknown", answer: Response.json({}, { status: 404 }) };
  }

  #metadata(): Members {
    if (!this.#found) return {};
    return JSON.parse(JSON.stringify({ ...metadataOf(this.#found), ...this.#row.metadata }));
  }

  #tokens(headers: Headers, body: string, url: URL): Response {
    const form = new URLSearchParams(body);
    const challenge = this.#asked.get("code_challenge");
    const verifier = form.get("code_verifier") ?? "";
    const { clientId, clientSecret } = CLIENT;
    const isOurs = [
      headers.get("authorization") === `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
      form.get("client_id") === clientId && form.get("client_secret") === clientSecret,
      form.get("client_assertion") === clientSecret,
      url.searchParams.get("appid") === clientId && url.searchParams.get("secret") === clientSecret,
    ].some((holds) => holds);
    const problems = {
      invalid_client: !isOurs,
      invalid_grant: (form.get("code") ?? form.get("assertion")) !== "code-1",
      invalid_request: form.get("redirect_uri") !== this.#asked.get("redirect_uri"),
      invalid_verifier: !form.has("assertion") && challenge !== null &&
        createHash("sha256").update(verifier).digest("base64url") !== challenge,
    };
    const error = Object.entries(problems).find(([, holds]) => holds)?.[0];
    if (error) return Response.json({ error }, { status: 400 });
    const tokens = { access_token: "access-1", token_type: "Bearer", expires_in: 3600, ...this.#row.tokens };
    return Response.json({ ...tokens, ...(this.#type === "oidc" && { id_token: this.#idToken() }) });
  }

  #idToken(): string {
    const iat = Math.floor(Date.now() / 1000);
    const nonce = this.#asked.get("nonce");
    const protocol = { iss: this.#found, aud: CLIENT.clientId, sub: SUBJECT, iat, exp: iat + 300 };
    return this.#sign({ ...protocol, ...(nonce && { nonce }), ...(this.#row.profile ?? PERSON) });
  }

  #sign(claims: Members): string {
    const alg = this.#row.alg ?? "RS256";
    const key = KEYS[alg];
    if (key) return signJws(claims, { alg, kid: key.kid, typ: "JWT" }, key);
    const text = `${encode({ alg, typ: "JWT" })}.${encode(claims)}`;
    return `${text}.${createHmac("sha256", CLIENT.clientSecret).update(text).digest("base64url")}`;
  }

  #person(headers: Headers, { searchParams }: URL): Response {
    const { profile = PERSON, signsUserinfo } = this.#row;
    const token = headers.get("authorization")?.replace(/^Bearer /, "") ?? searchParams.get("oauth_token") ??
      searchParams.get("access_token");
    const isAllowed = token === "access-1";
    const person = this.#type === "oidc" ? { sub: SUBJECT, ...profile } : profile;
    if (!signsUserinfo) return Response.json(isAllowed ? person : { error: "invalid_token" });
    const text = this.#sign({ iss: this.#found, aud: CLIENT.clientId, ...person });
    return new Response(text, { headers: { "content-type": "application/jwt" } });
  }
}

const PERSON = { name: NAME, email: EMAIL, picture: IMAGE, preferred_username: "ada", email_verified: true };

function urlOf(endpoint: unknown): string | undefined {
  const text = typeof endpoint === "object" && endpoint !== null ? (endpoint as { url?: unknown }).url : endpoint;
  if (typeof text !== "string") return undefined;
  const url = new URL(text);
  return url.origin + url.pathname;
}
