import assert from "node:assert/strict";
import { generateKeyPairSync, verify } from "node:crypto";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { OAuthProviderError } from "../../../src/kernel/errors.ts";
import type { Profile, User } from "../../../src/kernel/model.ts";
import type { OAuthProvider, OidcProvider, Provider, UserinfoEndpoint } from "../../../src/contract/provider.ts";
import { apple, appleClientSecret } from "../../../src/providers/apple.ts";
import { credentials } from "../../../src/providers/credentials.ts";
import { discord } from "../../../src/providers/discord.ts";
import { github } from "../../../src/providers/github.ts";
import { gitlab } from "../../../src/providers/gitlab.ts";
import { google } from "../../../src/providers/google.ts";
import { microsoftEntraId } from "../../../src/providers/microsoft_entra_id.ts";

interface Sample {
  readonly profile: Profile;
  readonly user: User;
}

type Redirecting = OAuthProvider | OidcProvider;

/** What each provider tells about somebody, and the user that becomes of it. By file name. */
const SAMPLES: Readonly<Record<string, Sample>> = {
  apple: {
    profile: {
      iss: "https://appleid.apple.com",
      aud: "com.example.web",
      sub: "001234.0a1b2c3d4e5f60718293a4b5c6d7e8f9.1234",
      email: "x7k2m9@privaterelay.appleid.com",
      is_private_email: "true",
      user: { name: { firstName: "Ada", lastName: "Lovelace" }, email: "somebody-else@example.com" },
    },
    user: {
      id: "001234.0a1b2c3d4e5f60718293a4b5c6d7e8f9.1234",
      name: "Ada Lovelace",
      email: "x7k2m9@privaterelay.appleid.com",
      image: null,
    },
  },
  auth0: {
    profile: {
      iss: "https://example.eu.auth0.com/",
      sub: "auth0|65a1b2c3d4e5f60718293a4b",
      nickname: "ada",
      email: "ada@example.com",
      email_verified: true,
      picture: "https://s.gravatar.com/avatar/0.png",
    },
    user: {
      id: "auth0|65a1b2c3d4e5f60718293a4b",
      name: "ada",
      email: "ada@example.com",
      image: "https://s.gravatar.com/avatar/0.png",
    },
  },
  discord: {
    profile: {
      id: "80351110224678912",
      username: "ada",
      global_name: "Ada",
      discriminator: "0",
      avatar: "8342729096ea3675442027381ff50dfe",
      email: "ada@example.com",
      verified: true,
    },
    user: {
      id: "80351110224678912",
      name: "Ada",
      email: "ada@example.com",
      image: "https://cdn.discordapp.com/avatars/80351110224678912/8342729096ea3675442027381ff50dfe.png",
    },
  },
  github: {
    profile: {
      id: 583231,
      login: "ada",
      name: null,
      email: "ada@example.com",
      avatar_url: "https://avatars.githubusercontent.com/u/583231?v=4",
    },
    user: {
      id: "583231",
      name: "ada",
      email: "ada@example.com",
      image: "https://avatars.githubusercontent.com/u/583231?v=4",
    },
  },
  gitlab: {
    profile: {
      id: 1815,
      username: "ada",
      name: "Ada Lovelace",
      state: "active",
      email: "ada@example.com",
      confirmed_at: "2024-05-23T09:05:22.000Z",
      avatar_url: "https://gitlab.com/uploads/-/system/user/avatar/1815/avatar.png",
    },
    user: {
      id: "1815",
      name: "Ada Lovelace",
      email: "ada@example.com",
      image: "https://gitlab.com/uploads/-/system/user/avatar/1815/avatar.png",
    },
  },
  google: {
    profile: {
      iss: "https://accounts.google.com",
      sub: "110169484474386276334",
      hd: "example.com",
      name: "Ada Lovelace",
      email: "ada@example.com",
      email_verified: true,
      picture: "https://lh3.googleusercontent.com/a/ada=s96-c",
    },
    user: {
      id: "110169484474386276334",
      name: "Ada Lovelace",
      email: "ada@example.com",
      image: "https://lh3.googleusercontent.com/a/ada=s96-c",
    },
  },
  keycloak: {
    profile: {
      iss: "https://id.example.com/realms/staff",
      sub: "24600aa5-30ff-4d1d-b5ee-0b4b6d3b7a1e",
      preferred_username: "ada",
      name: "Ada Lovelace",
      email: "ada@example.com",
      email_verified: false,
    },
    user: {
      id: "24600aa5-30ff-4d1d-b5ee-0b4b6d3b7a1e",
      name: "Ada Lovelace",
      email: "ada@example.com",
      image: undefined,
    },
  },
  microsoft_entra_id: {
    profile: {
      iss: "https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0",
      sub: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
      oid: "690222be-ff1a-4d56-abd1-7e4f7d38e474",
      tid: "8eaef023-2b34-4da1-9baa-8bc8c9d6a490",
      name: "Ada Lovelace",
      preferred_username: "ada@example.com",
    },
    user: {
      id: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
      name: "Ada Lovelace",
      email: "ada@example.com",
      image: null,
    },
  },
};

const DIRECTORY = new URL("../../../src/providers/", import.meta.url);

/** The facts about mail services, which have tests of their own. */
const MAIL = new URL("../../catalogue/mail/", import.meta.url);

const MAIL_OPTIONS = { from: "no-reply@example.com", region: "eu-west-1", transactionalId: "t-1" };

const NEEDED: Readonly<Record<string, object>> = {
  credentials: {},
  ...Object.fromEntries(readdirSync(MAIL).map((file) => [file.slice(0, -5).replaceAll("-", "_"), MAIL_OPTIONS])),
  nodemailer: { server: "smtp://localhost", from: "no-reply@example.com" },
};

/** Claims that a provider never gives to another person. */
const LASTING_CLAIMS = ["sub", "id"];

for (const name of readdirSync(DIRECTORY).filter((file) => file.endsWith(".ts")).map((file) => file.slice(0, -3))) {
  const provider = await load(name);

  test(`${name} exports a factory under its name, and its id is the name of its file`, () => {
    assert.equal(provider.id.replaceAll("-", "_"), name);
    assert.ok(provider.name);
  });

  test(`${name} keeps the developer's options apart from its own`, async () => {
    assert.equal((await load(name, { name: "Mine" })).options?.name, "Mine");
  });

  if (provider.type !== "oauth" && provider.type !== "oidc") continue;

  test(`${name} has https endpoints only`, () => {
    const urls = urlsOf(provider);
    for (const url of urls) assert.equal(new URL(url).protocol, "https:", url);
    assert.ok(provider.type === "oidc" || urls.length >= 3, "an oauth provider names its endpoints");
  });

  test(`${name} binds responses to the browser by state, and by PKCE or nonce`, () => {
    const checks = provider.checks ?? [];
    assert.ok(checks.includes("state"));
    assert.ok(checks.includes("pkce") || checks.includes("nonce"));
    assert.ok(!checks.includes("none"));
    assert.equal(checks.includes("nonce"), provider.type === "oidc");
  });

  test(`${name} has colours for its button`, () => {
    assert.match(provider.style?.bg ?? "", /^#/);
    assert.match(provider.style?.text ?? "", /^#/);
  });

  test(`${name} maps its recorded profile to the user`, async () => {
    const sample = sampleOf(name);
    assert.deepEqual(await userOf(provider, sample.profile), sample.user);
  });

  test(`${name} takes the account id from a claim that never changes`, async () => {
    const { profile, user } = sampleOf(name);
    const lasting = Object.fromEntries(Object.entries(profile).filter(([claim]) => LASTING_CLAIMS.includes(claim)));
    assert.equal((await userOf(provider, lasting)).id, user.id);
  });

  test(`${name} makes no id if the profile has none`, async () => {
    const { id: _id, sub: _sub, ...rest } = sampleOf(name).profile;
    for (const nothing of [{}, { id: null, sub: null }, { id: "", sub: "" }, { id: undefined, sub: undefined }]) {
      assert.equal((await userOf(provider, { ...rest, ...nothing })).id, undefined);
    }
    for (const odd of [{}, [1], true, 0, NaN] as unknown[]) {
      const { id } = await userOf(provider, { ...rest, id: odd, sub: odd } as Profile);
      assert.notEqual(typeof id, "string", `${String(odd)} became an id`);
    }
  });
}

test("microsoftEntraId() expects the issuer of the tenant in the id_token, if that is a UUID", () => {
  const tid = "8eaef023-2b34-4da1-9baa-8bc8c9d6a490";
  const rows: [claims: Record<string, unknown>, expected: string | undefined][] = [
    [{ tid }, `https://login.microsoftonline.com/${tid}/v2.0`],
    [{ tid: tid.toUpperCase() }, `https://login.microsoftonline.com/${tid.toUpperCase()}/v2.0`],
    [{ tid: "../evil" }, undefined],
    [{ tid: "common" }, undefined],
    [{ tid: "a.b" }, undefined],
    [{ tid: `${tid}\n` }, undefined],
    [{ tid: `${tid}/v2.0?` }, undefined],
    [{ tid: `x${tid}` }, undefined],
    [{ tid: "" }, undefined],
    [{ tid: 8 }, undefined],
    [{ tid: [tid] }, undefined],
    [{ tid: null }, undefined],
    [{}, undefined],
  ];
  for (const [claims, expected] of rows) {
    assert.equal(microsoftEntraId().expectedIssuer?.(claims), expected, JSON.stringify(claims));
  }
});

test("microsoftEntraId() admits the accounts that its tenant covers", () => {
  const work = "8eaef023-2b34-4da1-9baa-8bc8c9d6a490";
  const personal = "9188040d-6c67-4c5b-b112-36a304b66dad";
  const rows: [tenant: string, tid: string, admitted: boolean][] = [
    ["common", work, true],
    ["common", personal, true],
    ["organizations", work, true],
    ["organizations", personal, false],
    ["organizations", personal.toUpperCase(), false],
    ["consumers", work, false],
    ["consumers", personal, true],
  ];
  for (const [tenant, tid, admitted] of rows) {
    assert.equal(microsoftEntraId({ tenant }).expectedIssuer?.({ tid }) !== undefined, admitted, `${tenant} ${tid}`);
  }
});

test("microsoftEntraId() compares the issuer of a single tenant exactly", () => {
  const tenant = "8eaef023-2b34-4da1-9baa-8bc8c9d6a490";
  const issuer = `https://login.microsoftonline.com/${tenant}/v2.0`;
  for (const provider of [microsoftEntraId({ tenant }), microsoftEntraId({ issuer })]) {
    assert.equal(provider.issuer, issuer);
    assert.equal(provider.expectedIssuer, undefined);
  }
  assert.equal(microsoftEntraId({ issuer }).options?.issuer, issuer);
});

test("microsoftEntraId() expects issuers of the configured cloud", () => {
  const tid = "8eaef023-2b34-4da1-9baa-8bc8c9d6a490";
  const authority = "https://login.microsoftonline.us";
  const rows = [
    microsoftEntraId({ authority }),
    microsoftEntraId({ authority, tenant: "organizations" }),
    microsoftEntraId({ issuer: `${authority}/common/v2.0` }),
  ];
  for (const provider of rows) assert.equal(provider.expectedIssuer?.({ tid }), `${authority}/${tid}/v2.0`);
});

test("microsoftEntraId() prefers email to preferred_username", async () => {
  const profile = { sub: "1", preferred_username: "ada@tenant.example", email: "ada@example.com" };
  assert.equal((await userOf(microsoftEntraId(), profile)).email, "ada@example.com");
});

test("github() requests the profile and the addresses, and sets email_verified", async () => {
  const main = { email: "ada@example.com", primary: true, verified: true };
  const other = { email: "ada@users.noreply.github.com", primary: false, verified: false };
  const rows: [publicAddress: string | null, emails: Response, expected: Profile][] = [
    [null, Response.json([other, main]), { email: main.email, email_verified: true }],
    [null, Response.json([{ ...main, verified: false }]), { email: main.email, email_verified: false }],
    ["", Response.json([other, main]), { email: main.email, email_verified: true }],
    [main.email, Response.json([other, main]), { email: main.email, email_verified: true }],
    [other.email, Response.json([main, other]), { email: other.email, email_verified: false }],
    ["b@example.com", Response.json([main]), { email: "b@example.com", email_verified: false }],
    [main.email, Response.json([]), { email: main.email, email_verified: false }],
    [main.email, Response.json({ message: "Not Found" }, { status: 404 }), {
      email: main.email,
      email_verified: false,
    }],
    [null, Response.json([main], { status: 403 }), { email: null, email_verified: false }],
    [null, Response.json([]), { email: null, email_verified: false }],
  ];
  for (const [email, emails, expected] of rows) {
    // A profile cannot vouch for its own address.
    const answers = [Response.json({ id: 1, email, email_verified: true }), emails];
    const { profile, requests } = await readProfile(github(), answers);
    assert.deepEqual(profile, { id: 1, ...expected });
    assert.deepEqual(requests.map(({ url }) => url), [
      "https://api.github.com/user",
      "https://api.github.com/user/emails",
    ]);
    for (const { headers } of requests) {
      assert.equal(headers.get("authorization"), "Bearer a-token");
      assert.equal(headers.get("accept"), "application/vnd.github+json");
      assert.ok(headers.get("user-agent"));
    }
  }
});

test("github() signs in with an Enterprise Server", async () => {
  const provider = github({ enterprise: { baseUrl: "https://git.example.com/" } });
  assert.deepEqual([...urlsOf(provider)].sort(), [
    "https://git.example.com/api/v3/user",
    "https://git.example.com/login/oauth",
    "https://git.example.com/login/oauth/access_token",
    "https://git.example.com/login/oauth/authorize",
  ]);
  assert.deepEqual(provider.options, {});
  const { requests } = await readProfile(provider, [Response.json({ id: 1 }), Response.json([])]);
  assert.deepEqual(requests.map(({ url }) => url), [
    "https://git.example.com/api/v3/user",
    "https://git.example.com/api/v3/user/emails",
  ]);
});

for (const make of [discord, github, gitlab]) {
  test(`${make.name}() refuses a profile response without a 2xx status`, async () => {
    for (const status of [302, 401, 403, 404, 500]) {
      const answers = [Response.json({ id: 1, message: "No" }, { status }), Response.json([])];
      await assert.rejects(readProfile(make(), answers), (error) => {
        assert.ok(error instanceof OAuthProviderError);
        assert.match(error.message, new RegExp(`answered ${status}`));
        return true;
      });
    }
  });
}

test("discord() copies `verified` to `email_verified` if it is a boolean", async () => {
  const rows: [verified: unknown, expected: boolean][] = [
    [true, true],
    [false, false],
    [undefined, false],
    ["true", false],
    [1, false],
  ];
  for (const [verified, expected] of rows) {
    const { profile, requests } = await readProfile(discord(), [Response.json({ id: "1", verified })]);
    assert.equal(profile.email_verified, expected);
    assert.deepEqual(requests.map(({ url }) => url), ["https://discord.com/api/users/@me"]);
  }
});

test("discord() finds the picture", async () => {
  const rows: [profile: Profile, image: string | null][] = [
    [{ id: "80351110224678912", avatar: "a_1f" }, "avatars/80351110224678912/a_1f.gif"],
    [{ id: "80351110224678912", avatar: "1f" }, "avatars/80351110224678912/1f.png"],
    // 80351110224678912 >> 22 is 19157197529, a multiple of six and five more.
    [{ id: "80351110224678912" }, "embed/avatars/5.png"],
    [{ id: "80351110224678912", discriminator: "0" }, "embed/avatars/5.png"],
    [{ id: "80351110224678912", discriminator: "1337" }, "embed/avatars/2.png"],
    [{ id: "../../x", avatar: "1f" }, null],
    [{ avatar: "1f" }, null],
  ];
  for (const [profile, image] of rows) {
    const expected = image && `https://cdn.discordapp.com/${image}`;
    assert.equal((await userOf(discord(), profile)).image, expected, JSON.stringify(profile));
  }
});

test("gitlab() sets email_verified for a confirmed address", async () => {
  for (const [confirmed_at, expected] of [["2024-05-23T09:05:22.000Z", true], [null, false], [undefined, false]]) {
    const { profile } = await readProfile(gitlab(), [Response.json({ id: 1, confirmed_at, email_verified: true })]);
    assert.equal(profile.email_verified, expected);
  }
});

test("gitlab() signs in with a self-managed GitLab, also below a path", async () => {
  for (const options of [{ baseUrl: "https://example.com/gitlab/" }, { issuer: "https://example.com/gitlab" }]) {
    const provider = gitlab(options);
    for (const url of urlsOf(provider)) assert.ok(url.startsWith("https://example.com/gitlab/"), url);
    const { requests } = await readProfile(provider, [Response.json({ id: 1 })]);
    assert.deepEqual(requests.map(({ url }) => url), ["https://example.com/gitlab/api/v4/user"]);
  }
});

test("apple() takes only the name from the unsigned user field", async () => {
  const rows: [user: unknown, name: string][] = [
    [{ name: { firstName: "Ada", lastName: "Lovelace" } }, "Ada Lovelace"],
    [{ name: { firstName: "Ada" } }, "Ada"],
    [{ name: { firstName: "", lastName: "Lovelace" } }, "Lovelace"],
    [{ name: { firstName: { toString: "x" }, lastName: ["y"] } }, "ada@example.com"],
    [{ name: null, email: "other@example.com", sub: "2" }, "ada@example.com"],
    [{ name: "Ada" }, "ada@example.com"],
    [undefined, "ada@example.com"],
  ];
  for (const [user, name] of rows) {
    const profile: Profile = { sub: "1", email: "ada@example.com", user };
    assert.deepEqual(await userOf(apple(), profile), { id: "1", name, email: "ada@example.com", image: null });
  }
});

test("apple() uses response_mode=form_post and sends its secret in the body", () => {
  const { authorization, client } = apple();
  assert.deepEqual(authorization, { params: { scope: "name email", response_mode: "form_post" } });
  assert.deepEqual(client, { token_endpoint_auth_method: "client_secret_post" });
});

test("appleClientSecret() signs issuer, subject, audience and lifetime", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const secret = await appleClientSecret({
    teamId: "TEAM",
    keyId: "KEY",
    clientId: "com.example.web",
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    issuedAt: 1_700_000_000,
  });
  const [header = "", claims = "", signature = ""] = secret.split(".");
  assert.match(secret, /^[\w-]+\.[\w-]+\.[\w-]+$/);
  assert.deepEqual(parse(header), { alg: "ES256", kid: "KEY" });
  assert.deepEqual(parse(claims), {
    iss: "TEAM",
    iat: 1_700_000_000,
    exp: 1_715_777_000,
    aud: "https://appleid.apple.com",
    sub: "com.example.web",
  });
  const key = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
  assert.ok(verify("sha256", Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, "base64url")));
});

test("google() discovers its endpoints", () => {
  assert.deepEqual(urlsOf(google()), ["https://accounts.google.com"]);
});

test("credentials() keeps the developer's authorize", async () => {
  const authorize = () => ({ id: "1" });
  const provider = credentials({ name: "Code", authorize });
  assert.equal(provider.type, "credentials");
  assert.deepEqual(await provider.options?.authorize?.({}, new Request("https://example.com")), { id: "1" });
});

/** Calls the factory of a file: the export that has the file's name in camel case. */
async function load(name: string, options?: Record<string, unknown>): Promise<Provider> {
  const module: Record<string, unknown> = await import(new URL(`${name}.ts`, DIRECTORY).href);
  const make = module[name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())];
  assert.ok(typeof make === "function", `${name}.ts has no export of that name`);
  // Some cannot be made without what nobody can guess.
  return make(NEEDED[name] || options ? { ...NEEDED[name], ...options } : undefined);
}

function sampleOf(name: string): Sample {
  const sample = SAMPLES[name];
  assert.ok(sample, `${name}.ts has no sample in this test`);
  return sample;
}

async function userOf(provider: Redirecting, profile: Profile): Promise<User> {
  assert.ok(provider.profile);
  return await provider.profile(profile, {});
}

function urlsOf({ issuer, wellKnown, jwks_endpoint, authorization, token, userinfo }: Redirecting): string[] {
  return [issuer, wellKnown, jwks_endpoint, ...[authorization, token, userinfo].map(urlOf)]
    .filter((url) => url !== undefined);
}

function urlOf(endpoint: Redirecting["authorization" | "token" | "userinfo"]): string | undefined {
  if (typeof endpoint === "object") return endpoint.url?.toString();
  return typeof endpoint === "string" ? endpoint : undefined;
}

/** Lets a provider read the profile from answers that are given in turn. */
async function readProfile(
  provider: OAuthProvider,
  answers: readonly Response[],
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
    tokens: { access_token: "a-token", token_type: "bearer" },
    fetch: (input, init) => {
      const answer = answers[requests.push(new Request(input, init)) - 1];
      return answer ? Promise.resolve(answer) : Promise.reject(new Error("One request too many"));
    },
  });
  return { profile, requests };
}

function parse(part: string): unknown {
  return JSON.parse(Buffer.from(part, "base64url").toString());
}
