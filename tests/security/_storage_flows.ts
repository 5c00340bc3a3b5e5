/**
 * What people do that storage has a part in: what lies there before, what they do, how it ends.
 *
 * @module
 */
import type { Browser } from "../_support/browser.ts";
import { ADA, CSRF, MAX_AGE, SESSION, type Strategy, type World, type WorldOptions } from "./_storage_world.ts";

/** What a person does, and how it ends once nothing fails. */
export interface Flow extends WorldOptions {
  readonly name: string;
  readonly strategies?: readonly Strategy[];
  /** Whether it needs storage that keeps the ids of users. */
  readonly keepsIds?: boolean;
  /** Puts rows there, and a browser before them. */
  readonly prepare: (world: World) => Promise<Browser> | Browser;
  readonly act: (world: World, browser: Browser) => Promise<Response>;
  /** How the person starts again. @default the same once more */
  readonly again?: (world: World, browser: Browser) => Promise<Response>;
  /** How it ends: whether the person is signed in, and the rows there are besides. */
  readonly end: { readonly in: boolean; readonly users: number; readonly accounts: number; readonly refused?: boolean };
}

const KEY = { provider: "idp", providerAccountId: "ada-1" };
const OTHER = { provider: "other", providerAccountId: "ada" };
const DATABASE = ["database"] as const;

/** Signs in at the provider; the answer is the callback's, or that of a start that failed. */
async function byProvider({ issuer }: World, browser: Browser, id = "idp"): Promise<Response> {
  const start = await browser.post(`/auth/signin/${id}`, { csrfToken: CSRF });
  const location = start.headers.get("location") ?? "";
  if (!location.startsWith(issuer.url)) return start;
  const { redirectUri, params } = await issuer.consent(location);
  return await browser.get(`${new URL(redirectUri).pathname}?${params}`);
}

function byPassword(_: World, browser: Browser): Promise<Response> {
  return browser.post("/auth/callback/credentials", { csrfToken: CSRF });
}

function read(_: World, browser: Browser): Promise<Response> {
  return browser.get("/auth/session");
}

function update(_: World, browser: Browser): Promise<Response> {
  return browser.postJson("/auth/session", { csrfToken: CSRF, data: { colour: "blue" } });
}

function signOut(_: World, browser: Browser): Promise<Response> {
  return browser.post("/auth/signout", { csrfToken: CSRF });
}

function askForLink(_: World, browser: Browser): Promise<Response> {
  return browser.post("/auth/signin/email", { csrfToken: CSRF, email: ADA.email });
}

async function press({ mail }: World, browser: Browser): Promise<Response> {
  const { pathname, search } = mail.link();
  return await browser.post(pathname + search, { csrfToken: CSRF });
}

async function askAndPress(world: World, browser: Browser): Promise<Response> {
  await askForLink(world, browser);
  return await press(world, browser);
}

/** Puts Ada there. */
async function seedUser({ store: { rows } }: World, verified = false): Promise<void> {
  await rows.createUser({ ...ADA, emailVerified: verified ? new Date(1e12) : null });
}

async function seedAccount({ store: { rows } }: World, key: typeof KEY, proof = {}): Promise<void> {
  await rows.linkAccount({ ...key, ...proof, type: "oauth", userId: ADA.id });
}

async function seedSession({ store: { rows }, runtime }: World, left = MAX_AGE): Promise<void> {
  const expires = new Date(runtime.now() + left * 1000);
  await rows.createSession({ sessionToken: SESSION, userId: ADA.id, expires });
}

async function signedIn(world: World, left?: number): Promise<Browser> {
  await seedUser(world, true);
  if (world.strategy === "database") await seedSession(world, left);
  return await world.enter(world.visitor());
}

async function mailed(world: World): Promise<Browser> {
  const browser = world.visitor();
  await askForLink(world, browser);
  return browser;
}

/** What people do. */
export const FLOWS: readonly Flow[] = [
  {
    name: "somebody new, by OAuth",
    prepare: ({ visitor }) => visitor(),
    act: byProvider,
    end: { in: true, users: 1, accounts: 1 },
  },
  {
    name: "somebody new, by OpenID Connect",
    prepare: ({ visitor }) => visitor(),
    act: (world, browser) => byProvider(world, browser, "oidc"),
    end: { in: true, users: 1, accounts: 1 },
  },
  {
    name: "somebody known, by OAuth",
    prepare: async (world) => {
      await seedUser(world);
      await seedAccount(world, KEY);
      return world.visitor();
    },
    act: byProvider,
    end: { in: true, users: 1, accounts: 1 },
  },
  {
    name: "somebody signed in, who adds an account",
    prepare: (world) => signedIn(world),
    act: byProvider,
    again: async (world, browser) => await byProvider(world, await world.enter(browser)),
    end: { in: true, users: 1, accounts: 1 },
  },
  {
    name: "somebody whose address another user has",
    prepare: async (world) => {
      await seedUser(world);
      await seedAccount(world, OTHER);
      return world.visitor();
    },
    act: byProvider,
    end: { in: false, users: 1, accounts: 1, refused: true },
  },
  {
    name: "somebody whose address another user has, where addresses link",
    byEmail: true,
    prepare: async (world) => {
      await seedUser(world);
      await seedAccount(world, OTHER, { email_verified: true });
      return world.visitor();
    },
    act: byProvider,
    end: { in: true, users: 1, accounts: 2 },
  },
  {
    name: "somebody new, by password",
    strategies: DATABASE,
    keepsIds: true,
    prepare: ({ visitor }) => visitor(),
    act: byPassword,
    end: { in: true, users: 1, accounts: 0 },
  },
  {
    name: "somebody known, by password",
    strategies: DATABASE,
    prepare: async (world) => {
      await seedUser(world);
      return world.visitor();
    },
    act: byPassword,
    end: { in: true, users: 1, accounts: 0 },
  },
  {
    name: "a session that is read",
    strategies: DATABASE,
    prepare: (world) => signedIn(world),
    act: read,
    again: async (world, browser) => await read(world, await world.enter(browser)),
    end: { in: true, users: 1, accounts: 0 },
  },
  {
    name: "a session that is read and renewed",
    strategies: DATABASE,
    prepare: (world) => signedIn(world, 500),
    act: read,
    again: async (world, browser) => await read(world, await world.enter(browser)),
    end: { in: true, users: 1, accounts: 0 },
  },
  {
    name: "a session that is changed",
    strategies: DATABASE,
    prepare: (world) => signedIn(world, 500),
    act: update,
    again: async (world, browser) => await update(world, await world.enter(browser)),
    end: { in: true, users: 1, accounts: 0 },
  },
  {
    name: "a session that is ended",
    strategies: DATABASE,
    prepare: (world) => signedIn(world),
    act: signOut,
    again: async (world, browser) => await signOut(world, await world.enter(browser)),
    end: { in: false, users: 1, accounts: 0 },
  },
  {
    name: "a session that has expired",
    strategies: DATABASE,
    prepare: (world) => signedIn(world, 0),
    act: read,
    again: async (world, browser) => await read(world, await world.enter(browser)),
    end: { in: false, users: 1, accounts: 0 },
  },
  {
    name: "somebody who asks for a link",
    prepare: ({ visitor }) => visitor(),
    act: askForLink,
    again: askAndPress,
    end: { in: true, users: 1, accounts: 0 },
  },
  {
    name: "somebody new, by a link",
    prepare: mailed,
    act: press,
    again: askAndPress,
    end: { in: true, users: 1, accounts: 0 },
  },
  {
    name: "somebody known and unverified, by a link",
    prepare: async (world) => {
      await seedUser(world);
      await seedAccount(world, OTHER, { email_verified: true });
      if (world.strategy === "database") await seedSession(world);
      return await mailed(world);
    },
    act: press,
    again: askAndPress,
    end: { in: true, users: 1, accounts: 1 },
  },
  {
    name: "somebody known and verified, by a link",
    prepare: async (world) => {
      await seedUser(world, true);
      return await mailed(world);
    },
    act: press,
    again: askAndPress,
    end: { in: true, users: 1, accounts: 0 },
  },
];
