/**
 * Values that a release gives to browsers and to storage, made by it, and opened by this or another one.
 *
 * @module
 */
import type { Adapter, AuthConfig } from "@x/auth";
import { encode, type JWT } from "@x/auth/jwt";
import { Authenticator } from "../../_support/authenticator.ts";
import { type Client, clientOf, type Handler } from "./client.ts";
import { consent } from "./provider.ts";
import { recordingAdapter, replayed, type Step } from "./rows.ts";
import { SERVICES } from "./services.ts";

/** A kept value: what a browser comes back with, and what the service did with it in the release that made it. */
export interface Value {
  readonly name: string;
  readonly service: string;
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
  readonly cookies: Readonly<Record<string, string>>;
  /** What was stored. */
  readonly rows?: readonly Step[];
  /** What the browser sends. */
  readonly sends: Sends;
  /** What comes of it: status, place, what the page shows, and the session afterwards. */
  readonly expect: string;
}

export interface Sends {
  readonly path: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** What the page has to show. */
  readonly shows?: string;
}

/** Runs a service of a release: `createAuth`, or its engine with another clock. */
export type Serve = (config: AuthConfig, now: number | null) => Handler;

/** A browser at a service, with what it has sent and stored so far. */
export interface World {
  readonly client: Client;
  readonly links: string[];
}

/** Makes one kind of value. */
interface Maker {
  readonly name: string;
  readonly service: string;
  make(world: World): Promise<Sends>;
}

export const session: Sends = { path: "/auth/session" };

async function signIn({ client }: World, callbackUrl = "/members"): Promise<Sends> {
  await client.post("/auth/callback/credentials", { username: "ada", callbackUrl });
  return session;
}

export async function leave({ client }: World, provider: string, callbackUrl = "/members"): Promise<Sends> {
  const away = await client.post(`/auth/signin/${provider}`, { callbackUrl });
  const { path, params } = consent(away.headers.get("location") ?? "");
  return { path: `${path}?${new URLSearchParams(params)}` };
}

export async function come(world: World, provider: string): Promise<Sends> {
  await world.client.send((await leave(world, provider)).path);
  return session;
}

export async function ask({ client, links }: World): Promise<string> {
  await client.post("/auth/signin/email", { email: "ada@example.com", callbackUrl: "/members" });
  const { pathname, search } = new URL(links.at(-1) ?? "");
  return pathname + search;
}

export async function register({ client }: World, device: Authenticator): Promise<Sends> {
  const answer = await client.send("/auth/webauthn-options/passkey?action=register&email=ada@example.com");
  const { options } = await answer.json();
  const data = await device.create(options);
  return { path: "/auth/callback/passkey", fields: { action: "register", data, csrfToken: await client.csrf() } };
}

export async function authenticate({ client }: World, device: Authenticator): Promise<Sends> {
  const { options } = await (await client.send("/auth/webauthn-options/passkey?action=authenticate")).json();
  const data = await device.get(options);
  return { path: "/auth/callback/passkey", fields: { action: "authenticate", data, csrfToken: await client.csrf() } };
}

function sessionOf(service: string): Maker {
  return { name: `session, ${service}`, service, make: signIn };
}

/** What happens later, with the same cookie, at a service that has another configuration. */
function laterAt(service: string, name: string, maker: Maker): Maker & { readonly later: string } {
  return { ...maker, name, later: service };
}

type AnyMaker = Maker & { readonly later?: string };

function encoded(name: string, token: JWT): Maker {
  const salt = "authjs.session-token";
  return {
    name,
    service: "http",
    make: async ({ client }) => {
      const { secret = "" } = serviceOf("http").config({ now: Date.now, adapter: {} });
      client.cookies.set(salt, await encode({ token, secret, salt }));
      return session;
    },
  };
}

const csrf = (service: string): Maker => ({
  name: `form, ${service}`,
  service,
  make: async ({ client }) => {
    const fields = { csrfToken: await client.csrf(), username: "ada", callbackUrl: "/members" };
    return { path: "/auth/callback/credentials", fields };
  },
});

const target = (service: string): Maker => ({
  name: `callback URL, ${service}`,
  service,
  make: async ({ client }) => {
    await client.send("/auth/signin?callbackUrl=/members");
    return { path: "/auth/callback/credentials", fields: { csrfToken: await client.csrf(), username: "ada" } };
  },
});

const flow = (provider: string, service: string): Maker => ({
  name: `flow to ${provider}, ${service}`,
  service,
  make: (world) => leave(world, provider),
});

const formPost: Maker = {
  name: "flow with form_post",
  service: "form_post",
  // The answer is posted without the cookie; the redirect that follows has what this has.
  make: (world) => leave(world, "openid"),
};

const storedMakers: readonly Maker[] = ["stored", "stored, https"].flatMap((service): Maker[] => [
  { name: `row of a session, ${service}`, service, make: (world) => come(world, "openid") },
  {
    name: `email link in the same browser, ${service}`,
    service,
    make: async (world) => ({ path: await ask(world) }),
  },
]);

const MAKERS: readonly AnyMaker[] = [
  ...["http", "https", "one day", "jwt.maxAge", "claims", "long", "cookie name", "cookie names", "jwt.secret"].map(
    sessionOf,
  ),
  { name: "session, by OpenID Connect", service: "http", make: (world) => come(world, "openid") },
  { name: "session, by OAuth", service: "https", make: (world) => come(world, "plain") },
  laterAt("rotated once", "session, secret replaced once", sessionOf("http")),
  laterAt("rotated twice", "session, secret replaced twice", sessionOf("http")),
  laterAt("rotated twice", "session, second of three secrets", sessionOf("rotated once")),
  laterAt("second secret", "session, made with the first of two secrets", sessionOf("rotated once")),
  laterAt("jwt.secret", "session, jwt.secret instead of secret", sessionOf("second secret")),
  encoded("session, by encode()", { sub: "1", name: "Ada Lovelace", email: "ada@example.com" }),
  encoded("session, of somebody without a name", { sub: "7" }),
  csrf("http"),
  csrf("https"),
  csrf("cookie names"),
  laterAt("rotated once", "form, secret replaced once", csrf("http")),
  target("http"),
  target("https"),
  target("cookie names"),
  flow("plain", "http"),
  flow("openid", "http"),
  flow("plain", "https"),
  flow("openid", "https"),
  flow("openid", "cookie names"),
  flow("openid", "every check"),
  flow("plain", "every check"),
  flow("openid", "stored"),
  laterAt("rotated once", "flow, secret replaced once", flow("openid", "http")),
  formPost,
  {
    name: "flow back to where it began signed in",
    service: "stored",
    make: async (world) => {
      await come(world, "openid");
      return await leave(world, "plain", "/account");
    },
  },
  ...storedMakers,
  {
    name: "email link in another browser",
    service: "stored",
    make: async (world) => {
      const path = await ask(world);
      world.client.cookies.clear();
      return { path, shows: "ada@example.com" };
    },
  },
  {
    name: "session of somebody with rows, encrypted",
    service: "stored, sealed",
    make: (world) => come(world, "openid"),
  },
  {
    name: "registration of a passkey",
    service: "stored",
    make: (world) => register(world, new Authenticator({ origin: "http://localhost:3000" })),
  },
  {
    name: "authentication with a passkey",
    service: "stored",
    make: async (world) => {
      const device = new Authenticator({ origin: "http://localhost:3000" });
      const { path, fields = {} } = await register(world, device);
      await world.client.send(path, { fields });
      await world.client.post("/auth/signout");
      return await authenticate(world, device);
    },
  },
  {
    name: "why a sign-in failed",
    service: "stored",
    make: async ({ client }) => {
      const answer = await client.post("/auth/signin/email", { email: "ada@example" });
      const { pathname, search } = new URL(answer.headers.get("location") ?? "");
      return { path: pathname + search, shows: "ada@example" };
    },
  },
  {
    name: "chosen language",
    service: "http",
    make: async ({ client }) => {
      await client.send("/auth/signin?lang=de");
      return { path: "/auth/signin", shows: 'lang="de"' };
    },
  },
  {
    name: "provider that was used last",
    service: "http",
    make: async (world) => {
      await come(world, "openid");
      await world.client.post("/auth/signout");
      return { path: "/auth/signin", shows: "Last used" };
    },
  },
  {
    name: "return from a logout at the provider",
    service: "logout",
    make: async (world) => {
      await come(world, "openid");
      const answer = await world.client.post("/auth/signout", { callbackUrl: "/bye" });
      const state = new URL(answer.headers.get("location") ?? "").searchParams.get("state") ?? "";
      return { path: `/auth/signout/openid?${new URLSearchParams({ state })}` };
    },
  },
];

/**
 * Makes every value that a release knows.
 *
 * @param serve Runs a service of the release.
 * @param missing Values that it does not have.
 */
export async function makeValues(serve: Serve, missing: readonly string[] = []): Promise<Value[]> {
  const values: Value[] = [];
  for (const maker of MAKERS.filter(({ name }) => !missing.includes(name))) values.push(await makeValue(serve, maker));
  return values;
}

async function makeValue(serve: Serve, { name, service: made, later: opened = made, make }: AnyMaker): Promise<Value> {
  const { adapter, steps } = recordingAdapter();
  const links: string[] = [];
  const { origin, config } = serviceOf(made);
  const handler = serve(config({ now: Date.now, adapter, mail: (url) => void links.push(url) }), null);
  const client = clientOf(handler, origin);
  const sends = await make({ client, links });
  const rows = steps.length > 0 ? { rows: structuredClone(steps) } : {};
  const value = { name, service: opened, at: Date.now(), cookies: Object.fromEntries(client.cookies), ...rows, sends };
  return { ...value, expect: await open(serve, value, null) };
}

/**
 * Opens a value, and says what comes of it.
 *
 * @param now Milliseconds since 1970; by default when it was made. With `null` the machine's clock.
 * @param storage Where the rows are, if they are not kept with the value.
 */
export async function open(
  serve: Serve,
  value: Omit<Value, "expect">,
  now: number | null = value.at,
  storage?: Adapter,
): Promise<string> {
  const { origin, config } = serviceOf(value.service);
  const clock = now === null ? Date.now : () => now;
  const parts = { now: clock, adapter: storage ?? await replayed(value.rows ?? [], clock) };
  const client = clientOf(serve(config(parts), now), origin, value.cookies);
  const { path, fields, shows } = value.sends;
  const answer = await client.send(path, fields && { fields });
  const text = await answer.text();
  const said = [
    String(answer.status),
    answer.headers.get("location")?.replace(origin, ""),
    shows && `${text.includes(shows) ? "shows" : "does not show"} ${shows}`,
  ];
  const session = await (await client.send("/auth/session")).text();
  return `${said.filter((part) => part).join(" ")} as ${withDays(session, clock())}`;
}

/** A session with the days that it lasts instead of the date of its end. */
function withDays(session: string, now: number): string {
  const days = (date: string) => Math.round((Date.parse(date) - now) / 86_400_000);
  return session.replace(/"expires":"([^"]+)"/, (_, date) => `"expires":"in ${days(date)} days"`);
}

export function serviceOf(name: string): (typeof SERVICES)[string] {
  const service = SERVICES[name];
  if (!service) throw new Error(`There is no service "${name}"`);
  return service;
}
