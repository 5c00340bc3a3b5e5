/** Strangers learn nothing: no answer, no cookie, no email and no call to storage depends on who is stored. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthConfig, CompleteAdapter, WebAuthnOptions } from "@x/auth";
import { limits } from "@x/auth/limits";
import { passkey } from "@x/auth/providers/passkey";
import { Authenticator } from "../_support/authenticator.ts";
import type { Browser } from "../_support/browser.ts";
import { password as ownPassword } from "@x/auth/providers/password";
import { password } from "../_support/service.ts";
import { MEMORY, PLAIN_STORE } from "../_support/stores.ts";
import {
  type Difference,
  differencesOf,
  type Place,
  type Scene,
  type Sight,
  sightOf,
  type Stranger,
} from "../_support/strangers.ts";

const ADDRESS = "ada@example.com";

/** Who may have the address. In the first world, nobody has. */
type World =
  | "unknown"
  | "verified"
  | "unverified"
  | "with a passkey"
  | "with an account"
  | "unverified, with a passkey"
  | "with a password";

async function user(rows: CompleteAdapter, email: string, isVerified: boolean): Promise<void> {
  await rows.createUser({ id: "u1", name: "Ada", email, emailVerified: isVerified ? new Date(1e12) : null });
}

async function withPasskey(rows: CompleteAdapter): Promise<void> {
  const providerAccountId = "c3RvcmVkLWtleQ";
  await rows.linkAccount({ userId: "u1", type: "webauthn", provider: "passkey", providerAccountId });
  await rows.createAuthenticator({
    credentialID: providerAccountId,
    userId: "u1",
    providerAccountId,
    credentialPublicKey: "pQECAyYgASFYIA",
    counter: 1,
    credentialDeviceType: "multiDevice",
    credentialBackedUp: true,
    transports: "internal",
  });
}

const WORLDS: Readonly<Record<World, (rows: CompleteAdapter, email: string) => Promise<unknown>>> = {
  unknown: () => Promise.resolve(),
  verified: (rows, email) => user(rows, email, true),
  unverified: (rows, email) => user(rows, email, false),
  "with a passkey": async (rows, email) => {
    await user(rows, email, true);
    await withPasskey(rows);
  },
  "with an account": async (rows, email) => {
    await user(rows, email, true);
    await rows.linkAccount({ userId: "u1", type: "oauth", provider: "github", providerAccountId: "ada" });
  },
  "unverified, with a passkey": async (rows, email) => {
    await user(rows, email, false);
    await withPasskey(rows);
  },
  "with a password": async (rows, email) => {
    await user(rows, email, true);
    await rows.putRecord({
      ...{ kind: "password", id: "u1", userId: "u1", version: 0 },
      data: { hash: `new:${PASSWORD}`, email, setAt: 1e9, revision: "x".repeat(43) },
    });
  },
};

const PASSWORD = "a pelican on a bicycle";

/** Passwords whose hashes cost nothing. */
const PASSWORDS = () => ({
  providers: [
    ownPassword({
      hash: { make: (text) => `new:${text}`, verify: (text, stored) => stored === `new:${text}` ? "yes" : "no" },
    }),
  ],
  mail: () => {},
});

/** Posts a form of passwords, as a page and as a script, and once more. */
function posting(action: "signup" | "reset", fields: Readonly<Record<string, string>>): Scene["act"] {
  return async ({ browser, another }) => {
    await browser.open(`/auth/${action}`);
    await browser.submit(fields, `/${action}`);
    const script = another();
    const csrfToken = await script.csrf();
    await script.post(`/auth/${action}`, { csrfToken, ...fields });
    await script.post(`/auth/${action}`, { csrfToken, ...fields });
  };
}

/** Posts a form of passwords until emails are not sent any more, and is told the same. */
function insisting(action: "signup" | "reset", fields: Readonly<Record<string, string>>): Scene["act"] {
  return async ({ browser, another }) => {
    for (const each of [browser, another()]) {
      const csrfToken = await each.csrf();
      for (let count = 0; count < 8; count++) await each.post(`/auth/${action}`, { csrfToken, ...fields });
    }
  };
}

/** Opens a link of passwords that nobody was sent, and posts its form. */
function forging(action: "signup" | "reset", email: string): Scene["act"] {
  const token = "0123456789abcdef".repeat(4);
  return async ({ browser }) => {
    await browser.open(`/auth/${action}?${new URLSearchParams({ token, email })}`);
    const csrfToken = await browser.csrf();
    await browser.post(`/auth/${action}`, { csrfToken, token, email, password: "another pelican on a bicycle" });
  };
}

/** What differs from the first world, and where. */
type Differing = Readonly<Partial<Record<World, readonly Difference[]>>>;

/** A scene, and what it tells by the published contract. */
interface Row extends Scene {
  readonly name: string;
  /** Whether it works only where storage has records. @default {false} */
  readonly needsRecords?: boolean;
  /** The address that strangers try. */
  readonly address?: string;
  /** What differs, and in which worlds. It must be in the documentation. */
  readonly published?: { readonly why: string; readonly differs: Differing };
}

const NOTHING = (): AuthConfig => ({});
const LIMITED = (): AuthConfig => ({ features: [limits()] });
const SCRIPT = { "x-auth-return-redirect": "1" };

/** Asks for an email by form and as a script does, and looks at the page that follows. */
async function ask(browser: Browser, email: string, provider = "email"): Promise<void> {
  const csrfToken = await browser.csrf();
  const answer = await browser.post(`/auth/signin/${provider}`, { csrfToken, email });
  await browser.follow(answer);
  await browser.post(`/auth/signin/${provider}`, { csrfToken, email }, { headers: SCRIPT });
  await browser.postJson(`/auth/signin/${provider}`, { csrfToken, email }, { headers: SCRIPT });
  await browser.get(`/auth/signin/${provider}?${new URLSearchParams({ email })}`);
  await browser.get("/auth/signin");
}

function asking(email: string): Scene["act"] {
  return ({ browser }) => ask(browser, email);
}

async function guess(browser: Browser, token: string, email = ADDRESS): Promise<void> {
  const path = `/auth/callback/email?${new URLSearchParams({ token, email })}`;
  await browser.get(path);
  await browser.post(path, { csrfToken: await browser.csrf() });
}

async function options({ browser }: Stranger): Promise<void> {
  for (
    const query of [{ email: ADDRESS }, { action: "authenticate", email: ADDRESS }, { action: "list", email: ADDRESS }]
  ) {
    await browser.get(`/auth/webauthn-options/passkey?${new URLSearchParams(query)}`);
  }
}

async function register({ browser }: Stranger, finishes: boolean): Promise<void> {
  const query = new URLSearchParams({ action: "register", email: ADDRESS });
  const answer = await browser.get(`/auth/webauthn-options/passkey?${query}`);
  const csrfToken = await browser.csrf();
  const { options } = await answer.json();
  if (!finishes || !options) return;
  const data = await new Authenticator({ origin: browser.origin }).create(options);
  await browser.post("/auth/callback/passkey", { csrfToken, action: "register", data });
}

/** Signs in with a passkey that no service knows. */
async function unknownPasskey({ browser }: Stranger): Promise<void> {
  const device = new Authenticator({ origin: browser.origin });
  const user = { id: "c3RyYW5nZXI", name: ADDRESS, displayName: ADDRESS };
  await device.create({ challenge: "AAAA", rp: { id: "localhost" }, user });
  const answer = await browser.get(`/auth/webauthn-options/passkey?${new URLSearchParams({ action: "authenticate" })}`);
  const { options } = await answer.json();
  const [csrfToken, data] = [await browser.csrf(), await device.get(options)];
  await browser.post("/auth/callback/passkey", { csrfToken, action: "authenticate", data });
}

async function byProvider({ browser, issuer }: Stranger): Promise<void> {
  const start = await browser.post("/auth/signin/idp", { csrfToken: await browser.csrf() });
  const { redirectUri, params } = await issuer.consent(start.headers.get("location") ?? "");
  await browser.get(`${new URL(redirectUri).pathname}?${params}`);
}

const askAdapter: WebAuthnOptions["getUserInfo"] = async ({ adapter }, { query }) => {
  const email = String(query?.email);
  const user = await adapter.getUserByEmail?.(email);
  return user ? { user, exists: true } : { user: { id: "new", email }, exists: false };
};

const CODES = { generateVerificationToken: () => "424242" };
const KNOWN = Object.keys(WORLDS).slice(1) as World[];
const LISTED: readonly Difference[] = ["body", "calls"];

function everywhere(...differs: Difference[]): Differing {
  return Object.fromEntries(KNOWN.map((world) => [world, differs]));
}

const ROWS: readonly Row[] = [
  {
    name: "registers with a password",
    config: PASSWORDS,
    needsRecords: true,
    act: posting("signup", { email: ADDRESS, password: PASSWORD, name: "Ada" }),
  },
  {
    name: "registers with a password that is too short",
    config: PASSWORDS,
    needsRecords: true,
    act: posting("signup", { email: ADDRESS, password: "short" }),
  },
  { name: "asks for a new password", config: PASSWORDS, needsRecords: true, act: posting("reset", { email: ADDRESS }) },
  {
    name: "asks for a new password where nobody registers",
    config: () => ({ ...PASSWORDS(), providers: [ownPassword({ signUp: "invited" })] }),
    needsRecords: true,
    act: posting("reset", { email: ADDRESS }),
  },
  {
    name: "registers with a password again and again",
    config: () => ({ ...PASSWORDS(), features: [limits()] }),
    needsRecords: true,
    act: insisting("signup", { email: ADDRESS, password: PASSWORD }),
  },
  {
    name: "asks for a new password again and again",
    config: () => ({ ...PASSWORDS(), features: [limits()] }),
    needsRecords: true,
    act: insisting("reset", { email: ADDRESS }),
  },
  {
    name: "makes up the link of a registration",
    config: PASSWORDS,
    needsRecords: true,
    act: forging("signup", ADDRESS),
  },
  { name: "makes up the link of a reset", config: PASSWORDS, needsRecords: true, act: forging("reset", ADDRESS) },
  { name: "asks for a link", config: NOTHING, act: asking(ADDRESS) },
  { name: "asks for a link, with capital letters", config: NOTHING, act: asking(" ADA@Example.COM") },
  {
    name: "asks for a link to an international domain",
    config: NOTHING,
    address: "ada@xn--bcher-kva.example",
    act: asking("ada@bücher.example"),
  },
  {
    name: "asks for a link to an international domain that is stored as it was typed",
    config: NOTHING,
    address: "ada@bücher.example",
    act: asking("ada@bücher.example"),
  },
  {
    name: "asks for a link on pages of the application",
    config: () => ({ pages: { signIn: "/login", verifyRequest: "/sent", error: "/oh" } }),
    act: ({ browser }) =>
      browser.csrf().then((csrfToken) => browser.post("/auth/signin/email", { csrfToken, email: ADDRESS })),
  },
  {
    name: "asks for a link that cannot be sent",
    config: NOTHING,
    email: { sendVerificationRequest: () => Promise.reject(new Error("no server")) },
    act: asking(ADDRESS),
  },
  {
    name: "asks for a link that the application refuses",
    config: () => ({ callbacks: { signIn: () => false } }),
    act: asking(ADDRESS),
  },
  {
    name: "tries a link that was never sent",
    config: NOTHING,
    act: async ({ browser }) => await guess(browser, "0".repeat(64)),
  },
  { name: "asks for a code", config: NOTHING, email: CODES, act: asking(ADDRESS) },
  {
    name: "asks for links until there are too many",
    config: LIMITED,
    act: async ({ another }) => {
      for (let times = 0; times < 4; times++) await ask(another(), ADDRESS);
    },
  },
  {
    name: "asks for links until the site has had too many",
    config: () => ({ features: [limits({ mail: { site: { burst: 2, every: 60 } } })] }),
    act: async ({ browser }) => {
      const csrfToken = await browser.csrf();
      for (let times = 0; times < 4; times++) {
        await browser.post("/auth/signin/email", { csrfToken, email: ADDRESS });
        await browser.post("/auth/signin/email", { csrfToken, email: ADDRESS }, { headers: SCRIPT });
      }
    },
  },
  {
    name: "guesses at codes until there are too many",
    config: LIMITED,
    email: CODES,
    act: async ({ browser }) => {
      for (let code = 0; code < 3; code++) {
        await ask(browser, ADDRESS);
        for (let wrong = 0; wrong < 5; wrong++) await guess(browser, `00000${wrong}`);
      }
    },
  },
  {
    name: "tries passwords until there are too many",
    config: () => ({ ...LIMITED(), providers: [password()] }),
    act: async ({ browser }) => {
      const csrfToken = await browser.csrf();
      for (let wrong = 0; wrong < 12; wrong++) {
        await browser.post("/auth/callback/credentials", { csrfToken, username: ADDRESS, password: `${wrong}` });
      }
      await browser.get("/auth/signin");
    },
  },
  {
    name: "asks to register until there were too many",
    config: () => ({ features: [limits({ clientAddress: () => "203.0.113.7" })], providers: [passkey()] }),
    act: async (stranger) => {
      for (let times = 0; times < 22; times++) await register(stranger, false).catch(() => {});
    },
  },
  {
    name: "guesses at a code until it is gone, here and elsewhere",
    config: NOTHING,
    email: CODES,
    act: async ({ browser, another }) => {
      await ask(browser, ADDRESS);
      await guess(another(), "424242");
      for (let wrong = 0; wrong < 7; wrong++) await guess(browser, `00000${wrong}`);
      await guess(browser, "424242");
    },
  },
  {
    name: "types a wrong password",
    config: () => ({ providers: [password()] }),
    act: async ({ browser }) => {
      const csrfToken = await browser.csrf();
      for (const headers of [{}, SCRIPT]) {
        const fields = { csrfToken, username: ADDRESS, password: "wrong" };
        await browser.post("/auth/callback/credentials", fields, { headers });
      }
      await browser.get("/auth/signin?error=CredentialsSignin&code=credentials");
    },
  },
  { name: "asks for passkeys", config: () => ({ providers: [passkey()] }), act: options },
  {
    name: "asks for the keys of an address",
    config: () => ({ providers: [passkey({ allowCredentialsByEmail: true })] }),
    act: options,
    published: {
      why: "`allowCredentials` lists the keys of the address that was typed: that is what the option is for",
      // Who has no keys gets the answer of everybody. Only storage is asked once more.
      differs: { ...everywhere("calls"), "with a passkey": LISTED, "unverified, with a passkey": LISTED },
    },
  },
  { name: "uses a passkey that nobody has", config: () => ({ providers: [passkey()] }), act: unknownPasskey },
  {
    name: "begins to register a passkey",
    config: () => ({ providers: [passkey()] }),
    act: (stranger) => register(stranger, false),
  },
  {
    name: "begins to register a passkey where the application says who has an address",
    config: () => ({ providers: [passkey({ getUserInfo: askAdapter })] }),
    act: (stranger) => register(stranger, false),
  },
  {
    name: "registers a passkey",
    config: () => ({ providers: [passkey()] }),
    act: (stranger) => register(stranger, true),
    published: {
      why: "only an address without a user becomes one: `registration-tells` of `check()`",
      differs: everywhere("calls", "cookies", "headers"),
    },
  },
  {
    name: "registers a passkey whose address has to be confirmed",
    config: () => ({ providers: [passkey({ confirm: true })] }),
    act: async (stranger) => {
      await register(stranger, true);
      await ask(stranger.browser, ADDRESS, "passkey");
    },
  },
  {
    name: "registers a passkey where only users may",
    config: () => ({ providers: [passkey({ registration: "signed-in" })] }),
    act: (stranger) => register(stranger, true),
  },
  {
    name: "claims the address at a provider",
    config: (issuer) => ({ providers: [issuer.oauthProvider()] }),
    act: byProvider,
    published: {
      why: "the owner has to know that they sign in as before: `linking-tells` of `check()`",
      differs: everywhere("calls", "cookies", "headers"),
    },
  },
];

const KINDS = [MEMORY, PLAIN_STORE];
const STRATEGIES: readonly Place["strategy"][] = ["jwt", "database"];

function told({ name, address = ADDRESS, published, ...scene }: Row, kind: Place["kind"], strategy: Place["strategy"]) {
  return async () => {
    const see = (world: World): Promise<Sight> => {
      return sightOf(scene, { kind, strategy, fill: (rows) => WORLDS[world](rows, address) });
    };
    const nobody = await see("unknown");
    assert.ok(nobody.answers.length > 0, name);
    assert.deepEqual(await see("unknown"), nobody, "the same twice");
    for (const world of KNOWN) {
      const known = await see(world);
      const expected = published?.differs[world] ?? [];
      if (expected.length === 0) assert.deepEqual(known, nobody, world);
      assert.deepEqual(differencesOf(nobody, known), expected, world);
    }
  };
}

for (const row of ROWS) {
  for (const kind of KINDS.filter((kind) => !row.needsRecords || kind !== PLAIN_STORE)) {
    for (const strategy of STRATEGIES) {
      test(
        `a stranger learns what is published and no more, who ${row.name} (${kind.name}, ${strategy})`,
        told(row, kind, strategy),
      );
    }
  }
}
