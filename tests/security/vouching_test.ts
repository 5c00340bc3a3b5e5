/** V25, H08: providers whose word on an address is no proof of it, and people who come from them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CompleteAdapter } from "@x/auth";
import { authentik } from "@x/auth/providers/authentik";
import { azureAd } from "@x/auth/providers/azure-ad";
import { eventbrite } from "@x/auth/providers/eventbrite";
import { fusionauth } from "@x/auth/providers/fusionauth";
import { github } from "@x/auth/providers/github";
import { gitlab } from "@x/auth/providers/gitlab";
import { google } from "@x/auth/providers/google";
import { kakao } from "@x/auth/providers/kakao";
import { keycloak } from "@x/auth/providers/keycloak";
import { logto } from "@x/auth/providers/logto";
import { mattermost } from "@x/auth/providers/mattermost";
import { microsoftEntraId } from "@x/auth/providers/microsoft-entra-id";
import { patreon } from "@x/auth/providers/patreon";
import { wikimedia } from "@x/auth/providers/wikimedia";
import type { Browser } from "../_support/browser.ts";
import { leadsTo, NOT_LINKED, openMultiProvider } from "../_support/multi_provider.ts";
import { oauthVendor, oidcVendor, type Vendor } from "../_support/vendors.ts";

const ADDRESS = "victim@example.com";

interface Changes {
  readonly vouches?: "yes" | "no";
  readonly allowDangerousEmailAccountLinking?: boolean;
}

/** Somebody at a vendor: an id, and an address that the vendor calls verified. */
interface Person {
  readonly id: string;
  readonly email: string;
  readonly hd?: string;
}

interface Kind {
  readonly open: (changes?: Changes) => Vendor;
  /** What the vendor says of a person. */
  readonly says: (person: Person) => Readonly<Record<string, unknown>>;
}

const claims: Kind["says"] = ({ id, email, hd }) => ({ sub: id, email, email_verified: true, ...(hd && { hd }) });

function gitlabAt(baseUrl?: string): Kind {
  return {
    open: (changes) => {
      const make = (options: object) => gitlab({ ...options, ...changes, ...(baseUrl && { baseUrl }) });
      return oauthVendor(make, (profile) => ({ "/api/v4/user": profile, "/git/api/v4/user": profile }));
    },
    says: ({ id, email }) => ({ id, email, username: id, confirmed_at: "2025-01-01T00:00:00Z" }),
  };
}

const ISSUER = "https://id.company.example";

/** Servers that call an address verified that nobody has proven. */
const LIARS: Readonly<Record<string, Kind>> = {
  "a GitLab of somebody": gitlabAt("https://gitlab.company.example"),
  "a GitLab of somebody below a path": gitlabAt("https://company.example/git"),
  "a GitLab with a name that looks like another": gitlabAt("https://gitlab.com.evil.test"),
  authentik: {
    open: (changes) => oidcVendor((options) => authentik({ ...options, ...changes, issuer: ISSUER }), ISSUER),
    says: claims,
  },
  FusionAuth: {
    open: (changes) => oidcVendor((options) => fusionauth({ ...options, ...changes, issuer: ISSUER }), ISSUER),
    says: claims,
  },
  Logto: {
    open: (changes) => {
      const client = { id_token_signed_response_alg: "ES256" };
      return oidcVendor((options) => logto({ ...options, ...changes, client, issuer: ISSUER }), ISSUER);
    },
    says: claims,
  },
  Mattermost: {
    open: (changes) => {
      const make = (options: object) => mattermost({ ...options, ...changes, issuer: ISSUER });
      return oauthVendor(make, (profile) => ({ "/api/v4/users/me": profile }));
    },
    says: ({ id, email }) => ({ id, email, username: id, email_verified: true }),
  },
  "another MediaWiki": {
    open: (changes) => {
      const make = (options: object) => {
        return wikimedia({ ...options, ...changes, baseUrl: "https://wiki.example/rest.php" });
      };
      return oauthVendor(make, (profile) => ({ "/rest.php/oauth2/resource/profile": profile }));
    },
    says: ({ id, email }) => ({ sub: id, email, username: id, confirmed_email: true }),
  },
  "a GitHub Enterprise Server": {
    open: (changes) => {
      const enterprise = { baseUrl: "https://git.company.example" };
      return oauthVendor((options) => github({ ...options, ...changes, enterprise }), (profile) => ({
        "/api/v3/user": profile,
        "/api/v3/user/emails": [{ email: profile.email, primary: true, verified: true }],
      }));
    },
    says: ({ id, email }) => ({ id, email, login: id }),
  },
};

/** Providers that prove what they say. */
const HONEST: Readonly<Record<string, Kind & { readonly person?: Partial<Person> }>> = {
  "GitLab.com": gitlabAt(),
  "a provider of one's own": {
    open: (changes) => {
      const own = { id: "own", name: "Own", type: "oidc" as const, issuer: ISSUER };
      return oidcVendor((options) => ({ ...options, ...changes, ...own }), ISSUER);
    },
    says: claims,
  },
  Keycloak: {
    open: (changes) => oidcVendor((options) => keycloak({ ...options, ...changes, issuer: ISSUER }), ISSUER),
    says: claims,
  },
  "Google with an address of Gmail": { ...googleKind(), person: { email: "victim@gmail.com" } },
  "Google with an address of Workspace": { ...googleKind(), person: { hd: "example.com" } },
  "GitHub.com": {
    open: (changes) =>
      oauthVendor((options) => github({ ...options, ...changes }), (profile) => ({
        "/user": { ...profile, email: null },
        "/user/emails": [{ email: profile.email, primary: true, verified: true }],
      })),
    says: ({ id, email }) => ({ id, email, login: id }),
  },
  Kakao: {
    open: (changes) =>
      oauthVendor((options) => kakao({ ...options, ...changes }), (profile) => ({ "/v2/user/me": profile })),
    says: ({ id, email }) => ({ id, kakao_account: { email, is_email_valid: true, is_email_verified: true } }),
  },
  Patreon: {
    open: (changes) => {
      return oauthVendor((options) => patreon({ ...options, ...changes }), (data) => ({
        "/api/oauth2/v2/identity": { data },
      }));
    },
    says: ({ id, email }) => ({ id, attributes: { email, is_email_verified: true } }),
  },
  Eventbrite: {
    open: (changes) =>
      oauthVendor((options) => eventbrite({ ...options, ...changes }), (profile) => ({ "/v3/users/me/": profile })),
    says: ({ id, email }) => ({ id, emails: [{ email, primary: true, verified: true }] }),
  },
};

function googleKind(): Kind {
  return {
    open: (changes) => oidcVendor((options) => google({ ...options, ...changes }), "https://accounts.google.com"),
    says: claims,
  };
}

/** A service with a vendor, and another provider that proves addresses. */
function openService(vendor: Vendor) {
  return openMultiProvider({ idps: { honest: {}, silent: {} }, providers: [vendor.provider] });
}

async function accountsOf(adapter: CompleteAdapter, email = ADDRESS): Promise<string[]> {
  const user = await adapter.getUserByEmail(email);
  const accounts = user ? await adapter.listAccountsByUserId(user.id) : [];
  return accounts.map(({ provider, providerAccountId }) => `${provider}/${providerAccountId}`);
}

async function signedInAs(browser: Browser): Promise<string | null | undefined> {
  return (await browser.session())?.user?.email ?? null;
}

const VICTIM = { sub: "victim", name: "Victim", email: ADDRESS, email_verified: true };
const SOMEBODY = { sub: "somebody", name: "Somebody", email: ADDRESS };

for (const [name, { open, says }] of Object.entries({ ...LIARS, "Google with another address": googleKind() })) {
  test(`${name}: whoever has the victim's address there is out when the victim proves it`, async () => {
    const vendor = open();
    const { visitor, verifyMailbox, adapter } = openService(vendor);
    const mallory = visitor();
    assert.equal(leadsTo(await vendor.come(mallory, says({ id: "7", email: ADDRESS }))), "/");
    assert.equal(await signedInAs(mallory), ADDRESS);
    const born = await adapter.getUserByEmail(ADDRESS);
    assert.equal(born?.emailVerified, null);
    assert.equal(born?.vouchedEmail ?? null, null);
    const victim = await verifyMailbox(visitor(), ADDRESS);
    assert.equal(await signedInAs(victim), ADDRESS);
    assert.equal(await mallory.session(), null);
    assert.deepEqual(await accountsOf(adapter), []);
    assert.equal(leadsTo(await vendor.come(mallory, says({ id: "7", email: ADDRESS }))), NOT_LINKED);
    assert.equal(await mallory.session(), null);
  });

  test(`${name}: whoever has the victim's address there gives way to a provider that proves it`, async () => {
    const vendor = open();
    const { visitor, come, adapter } = openService(vendor);
    const mallory = visitor();
    await vendor.come(mallory, says({ id: "7", email: ADDRESS }));
    const victim = visitor();
    assert.equal(leadsTo(await come(victim, "honest", VICTIM)), "/");
    assert.equal(await signedInAs(victim), ADDRESS);
    assert.notEqual(await signedInAs(mallory), ADDRESS);
    assert.deepEqual(await accountsOf(adapter), ["honest/victim"]);
  });

  test(`${name}: nobody loses their address to somebody who has it there`, async () => {
    const vendor = open();
    const { visitor, come, adapter } = openService(vendor);
    const holder = visitor();
    await come(holder, "silent", SOMEBODY);
    assert.equal(leadsTo(await vendor.come(visitor(), says({ id: "7", email: ADDRESS }))), NOT_LINKED);
    assert.equal(await signedInAs(holder), ADDRESS);
    assert.deepEqual(await accountsOf(adapter), ["silent/somebody"]);
  });

  test(`${name}: an account that was added to a user does not survive a proof by its word`, async () => {
    const vendor = open();
    const { visitor, come, verifyMailbox, adapter } = openService(vendor);
    const mallory = visitor();
    await come(mallory, "silent", SOMEBODY);
    await vendor.come(mallory, says({ id: "7", email: ADDRESS }));
    assert.equal((await accountsOf(adapter)).length, 2);
    await verifyMailbox(visitor(), ADDRESS);
    assert.deepEqual(await accountsOf(adapter), []);
    assert.equal(await mallory.session(), null);
  });

  test(`${name}: with \`vouches: "yes"\` people keep what they have`, async () => {
    const vendor = open({ vouches: "yes" });
    const { visitor, verifyMailbox, adapter } = openService(vendor);
    const victim = visitor();
    await vendor.come(victim, says({ id: "7", email: ADDRESS }));
    await verifyMailbox(visitor(), ADDRESS);
    assert.equal(await signedInAs(victim), ADDRESS);
    assert.equal((await accountsOf(adapter)).length, 1);
    assert.equal(leadsTo(await vendor.come(visitor(), says({ id: "7", email: ADDRESS }))), "/");
  });
}

for (const [name, { open, says, person }] of Object.entries(HONEST)) {
  const them: Person = { id: "7", email: ADDRESS, ...person };

  test(`${name}: people lose nothing when they first open a link`, async () => {
    const vendor = open();
    const { visitor, verifyMailbox, adapter } = openService(vendor);
    const first = visitor();
    assert.equal(leadsTo(await vendor.come(first, says(them))), "/");
    assert.equal((await adapter.getUserByEmail(them.email))?.vouchedEmail, them.email);
    await verifyMailbox(visitor(), them.email);
    assert.equal(await signedInAs(first), them.email);
    assert.equal((await accountsOf(adapter, them.email)).length, 1);
    const again = visitor();
    assert.equal(leadsTo(await vendor.come(again, says(them))), "/");
    assert.equal(await signedInAs(again), them.email);
  });

  test(`${name}: people get their address from somebody who has not proven it`, async () => {
    const vendor = open();
    const { visitor, come, adapter } = openService(vendor);
    await come(visitor(), "silent", { ...SOMEBODY, email: them.email });
    const victim = visitor();
    assert.equal(leadsTo(await vendor.come(victim, says(them))), "/");
    assert.equal(await signedInAs(victim), them.email);
    const [account, ...others] = await accountsOf(adapter, them.email);
    assert.match(account ?? "", /\/7$/);
    assert.deepEqual(others, []);
  });

  test(`${name}: with the option they are linked to the user who has the address`, async () => {
    const vendor = open({ allowDangerousEmailAccountLinking: true });
    const { visitor, verifyMailbox, adapter } = openService(vendor);
    await verifyMailbox(visitor(), them.email);
    assert.equal(leadsTo(await vendor.come(visitor(), says(them))), "/");
    assert.equal((await accountsOf(adapter, them.email)).length, 1);
  });

  test(`${name}: with \`vouches: "no"\` it proves nothing`, async () => {
    const vendor = open({ vouches: "no" });
    const { visitor, verifyMailbox, adapter } = openService(vendor);
    const first = visitor();
    await vendor.come(first, says(them));
    await verifyMailbox(visitor(), them.email);
    assert.equal(await first.session(), null);
    assert.deepEqual(await accountsOf(adapter, them.email), []);
  });
}

test("Google: an address of another domain links to nobody, with the option either, and into no unproven user", async () => {
  const { open, says } = googleKind();
  const people: readonly Person[] = [
    { id: "7", email: ADDRESS },
    { id: "7", email: ADDRESS, hd: "other.example" },
    { id: "7", email: "victim@gmail.com.example.com", hd: "gmail.com" },
  ];
  for (const person of people) {
    for (const isProven of [true, false]) {
      const vendor = open({ allowDangerousEmailAccountLinking: true });
      const { visitor, come, verifyMailbox, adapter } = openService(vendor);
      const holder = visitor();
      if (isProven) await verifyMailbox(holder, person.email);
      else await come(holder, "silent", { ...SOMEBODY, email: person.email });
      const before = await accountsOf(adapter, person.email);
      assert.equal(leadsTo(await vendor.come(visitor(), says(person))), NOT_LINKED, JSON.stringify(person));
      assert.deepEqual(await accountsOf(adapter, person.email), before);
      assert.equal(await signedInAs(holder), person.email);
    }
  }
});

test("Google is Google under another name: an entry with its issuer is believed no further", async () => {
  const make = (options: object) => {
    return { ...options, id: "g", name: "G", type: "oidc" as const, issuer: "https://accounts.google.com" };
  };
  const vendor = oidcVendor(make, "https://accounts.google.com");
  const { visitor, adapter } = openService(vendor);
  await vendor.come(visitor(), claims({ id: "7", email: ADDRESS }));
  assert.equal((await adapter.getUserByEmail(ADDRESS))?.vouchedEmail ?? null, null);
  await vendor.come(visitor(), claims({ id: "8", email: "x@gmail.com" }));
  assert.equal((await adapter.getUserByEmail("x@gmail.com"))?.vouchedEmail, "x@gmail.com");
});

test("a server whose word is no proof links by the option, as one that says nothing", async () => {
  for (const { open, says } of Object.values(LIARS)) {
    const vendor = open({ allowDangerousEmailAccountLinking: true });
    const { visitor, verifyMailbox, adapter } = openService(vendor);
    await verifyMailbox(visitor(), ADDRESS);
    assert.equal(leadsTo(await vendor.come(visitor(), says({ id: "7", email: ADDRESS }))), "/");
    assert.equal((await accountsOf(adapter)).length, 1);
  }
});

const TENANT = "8eaef023-2b34-4da1-9baa-8bc8c9d6a490";
const PERSONAL = "9188040d-6c67-4c5b-b112-36a304b66dad";
const MICROSOFT = "https://login.microsoftonline.com";

/** Microsoft with people of one tenant, for an application that is configured for it or for more. */
function entra(configured: string, tid: string, make: typeof microsoftEntraId | typeof azureAd = microsoftEntraId) {
  return oidcVendor(
    (options) => make({ ...options, tenant: configured, allowDangerousEmailAccountLinking: true }),
    `${MICROSOFT}/${tid}/v2.0`,
    ["common", "organizations", "consumers"].includes(configured) ? { issuer: `${MICROSOFT}/{tenantid}/v2.0` } : {},
  );
}

/** For whom an application is configured, whose tenant somebody is of, what `xms_edov` says, and whether it links. */
const ENTRA: readonly (readonly [configured: string, tid: string, xms_edov: unknown, links: boolean])[] = [
  [TENANT, TENANT, undefined, true],
  [TENANT, TENANT, null, true],
  [TENANT.toUpperCase(), TENANT.toUpperCase(), undefined, true],
  ["common", TENANT, undefined, false],
  ["organizations", TENANT, undefined, false],
  ["common", PERSONAL, undefined, false],
  ["consumers", PERSONAL, undefined, false],
  [PERSONAL, PERSONAL, undefined, false],
  ...[TENANT, "common", "organizations"].flatMap((configured) => [
    ...[false, "false", 0, "0", ""].map((told) => [configured, TENANT, told, false] as const),
    ...[true, "true", 1, "1"].map((told) => [configured, TENANT, told, true] as const),
  ]),
];

for (const [configured, tid, xms_edov, links] of ENTRA) {
  const told = JSON.stringify(xms_edov) ?? "absent";
  test(`Entra ID for ${configured}: ${tid} with xms_edov ${told} is ${links ? "" : "not "}linked by address`, async () => {
    for (const make of [microsoftEntraId, azureAd]) {
      // Whoever runs the tenant writes claims of their own.
      for (const own of [{}, { email_verified: true }]) {
        if (configured === tid && xms_edov !== false && "email_verified" in own) continue;
        const vendor = entra(configured, tid, make);
        const { visitor, verifyMailbox, adapter } = openService(vendor);
        await verifyMailbox(visitor(), ADDRESS);
        const person = { sub: "7", oid: "7", tid, email: ADDRESS, xms_edov, ...own };
        assert.equal(leadsTo(await vendor.come(visitor(), person)), links ? "/" : NOT_LINKED);
        assert.equal((await accountsOf(adapter)).length, links ? 1 : 0);
      }
    }
  });
}

test("Entra ID: the name that somebody signs in with is linked for one tenant only, and is proven by nothing", async () => {
  for (const [configured, links] of [[TENANT, true], ["common", false], ["organizations", false]] as const) {
    const vendor = entra(configured, TENANT);
    const { visitor, verifyMailbox, adapter } = openService(vendor);
    await verifyMailbox(visitor(), ADDRESS);
    const person = { sub: "7", oid: "7", tid: TENANT, preferred_username: ADDRESS };
    assert.equal(leadsTo(await vendor.come(visitor(), person)), links ? "/" : NOT_LINKED);
    const others = { ...person, sub: "8", preferred_username: "other@example.com", xms_edov: true };
    await vendor.come(visitor(), others);
    assert.equal((await adapter.getUserByEmail("other@example.com"))?.vouchedEmail ?? null, null);
  }
});

test("an address that `profile` takes from elsewhere is not what the provider has proven", async () => {
  const mallory = { sub: "7", email: "mallory@evil.test", email_verified: true, upn: ADDRESS };
  for (const option of [false, true]) {
    const vendor = oidcVendor((options) => ({
      ...options,
      id: "own",
      name: "Own",
      type: "oidc",
      issuer: ISSUER,
      allowDangerousEmailAccountLinking: option,
      profile: ({ sub, upn }) => ({ id: String(sub), email: String(upn) }),
    }), ISSUER);
    const { visitor, come, verifyMailbox, adapter } = openService(vendor);
    const holder = visitor();
    await come(holder, "silent", SOMEBODY);
    assert.equal(leadsTo(await vendor.come(visitor(), mallory)), NOT_LINKED);
    assert.equal(await signedInAs(holder), ADDRESS);
    const other = { ...mallory, sub: "8", upn: "new@example.com" };
    const impostor = visitor();
    await vendor.come(impostor, other);
    await verifyMailbox(visitor(), "new@example.com");
    assert.equal(await impostor.session(), null);
    assert.deepEqual(await accountsOf(adapter, "new@example.com"), []);
  }
});

test("what `profile` writes into the claims proves nothing", async () => {
  const vendor = oidcVendor((options) => ({
    ...options,
    id: "own",
    name: "Own",
    type: "oidc",
    issuer: ISSUER,
    profile: (claims) => {
      Object.assign(claims, { email: claims.upn, email_verified: true });
      return { id: String(claims.sub), email: String(claims.upn) };
    },
  }), ISSUER);
  const { visitor, adapter } = openService(vendor);
  await vendor.come(visitor(), { sub: "7", email: "mallory@evil.test", email_verified: true, upn: ADDRESS });
  assert.equal((await adapter.getUserByEmail(ADDRESS))?.vouchedEmail ?? null, null);
});

test("an address in another spelling than its claim is the same", async () => {
  const vendor = oidcVendor((options) => ({
    ...options,
    id: "own",
    name: "Own",
    type: "oidc",
    issuer: ISSUER,
    profile: ({ sub, email }) => ({ id: String(sub), email: String(email).toLowerCase() }),
  }), ISSUER);
  const { visitor, adapter } = openService(vendor);
  await vendor.come(visitor(), { sub: "7", email: "Victim@Example.COM", email_verified: true });
  assert.equal((await adapter.getUserByEmail(ADDRESS))?.vouchedEmail, ADDRESS);
});
