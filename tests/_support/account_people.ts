/**
 * People who have everything that an account can have, and requests of every kind about it.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Adapter, AuthConfig, StoredRecord } from "@x/auth";
import { limits } from "@x/auth/limits";
import { passkey } from "@x/auth/providers/passkey";
import { password } from "@x/auth/providers/password";
import type { AccountPageOptions } from "../../src/account.ts";
import type { Feature } from "../../src/contract/feature.ts";
import { handlerOf } from "../../src/service/engine.ts";
import { passwordFunctions } from "../../src/service/password_actions.ts";
import { type AccountJson, type AccountSite, openAccountSite } from "./account_site.ts";
import type { Passkey } from "./authenticator.ts";
import { readSetCookie } from "./cookie_jar.ts";
import { mailbox } from "./mailbox.ts";
import { cheapHash } from "./passwords.ts";
import { type TestRuntime, testRuntime } from "./runtime.ts";
import { teller, type Visitor } from "./visitors.ts";

export const ORIGIN = "http://localhost:3000";

/** What everybody types. */
export const SECRET = "a pelican on a bicycle";

/** How sessions are kept. */
export type Strategy = "jwt" | "database";

/** A service for people with everything. */
export interface World extends AccountSite {
  readonly strategy: Strategy;
  /** The newest link to sign in with that was sent to an address. */
  signInLink(address: string): URL;
}

/** A service to open. */
export interface WorldOptions extends Omit<AuthConfig, "adapter"> {
  readonly adapter: Adapter;
  readonly strategy?: Strategy;
  readonly options?: AccountPageOptions;
  readonly features?: readonly Feature[];
  readonly runtime?: TestRuntime;
  /** Whether a link by email is a way in. @default {true} */
  readonly linksSignIn?: boolean;
}

/** Opens a service. */
export async function openWorld(
  { strategy = "database", linksSignIn = true, features = [], runtime = testRuntime(), ...config }: WorldOptions,
): Promise<World> {
  const box = mailbox();
  const site = await openAccountSite({
    runtime,
    session: { strategy },
    features: [...features, limits({ off: "of many at the same time each has to get as far as storage" })],
    providers: [
      passkey(),
      teller("plain"),
      teller("other"),
      password({ hash: cheapHash() }),
      ...linksSignIn ? [box.provider] : [],
    ],
    ...config,
  });
  return { ...site, strategy, signInLink: (address) => box.link(address) };
}

/** Somebody with everything. */
export interface Person {
  readonly id: string;
  readonly email: string;
  /** Signed in just now, and the one that prepares what a test needs. */
  readonly helper: Visitor;
  readonly passkey: Passkey | null;
}

/** What somebody has. */
export type Has = "plain" | "other" | "passkey" | "password";

const EVERYTHING: readonly Has[] = ["plain", "other", "passkey", "password"];

/** Somebody new. Their address is proven. */
export async function newPerson(world: World, name = "ada", has: readonly Has[] = EVERYTHING): Promise<Person> {
  const { adapter, runtime, service } = world;
  const id = crypto.randomUUID();
  const email = `${name}-${id}@example.com`;
  // As storage keeps it: not every database keeps milliseconds.
  const emailVerified = new Date(Math.floor(runtime.now() / 1000) * 1000);
  const user = await adapter.createUser?.({ id, name, email, emailVerified }) ?? assert.fail("no user was stored");
  for (const provider of ["plain", "other"]) {
    if (!has.includes(provider as Has)) continue;
    const providerAccountId = subjectOf(email);
    await adapter.linkAccount?.({ userId: user.id, type: "oauth", provider, providerAccountId });
  }
  runtime.advance(1);
  const helper = service.visitor();
  if (has.includes("password")) await passwordFunctions(service.engine).set(user.id, SECRET);
  const person: Person = { id: user.id, email, helper, passkey: null };
  if (has.includes("password")) await enter(helper, email);
  else await come(helper, has.includes("plain") ? "plain" : "other", email);
  assert.equal(await helper.inside(), user.id, "the helper is signed in");
  return has.includes("passkey") ? { ...person, passkey: await helper.register(email) ?? assert.fail() } : person;
}

/** What the providers call somebody. */
export function subjectOf(email: string): string {
  return `subject of ${email}`;
}

/** Signs in with the password. */
export async function enter(visitor: Visitor, email: string, text = SECRET): Promise<void> {
  await visitor.post("/auth/callback/password", { email, password: text });
}

/** Signs in with the account at a provider. */
export async function come(visitor: Visitor, provider: string, email: string): Promise<void> {
  await visitor.come(provider, { sub: subjectOf(email) });
}

/** Signs in with a link. */
export async function byMail(world: World, visitor: Visitor, email: string): Promise<void> {
  await visitor.ask(email);
  await visitor.open(world.signInLink(email));
}

/** A request that a test writes by itself. */
export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** @default those of a form of this site, as a script sends it */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Headers of a form that a browser sends, without a script. */
export const AS_PAGE = {
  accept: "text/html,application/xhtml+xml",
  origin: ORIGIN,
  "sec-fetch-site": "same-origin",
  "sec-fetch-mode": "navigate",
};

/** Headers of a form that a script sends. */
export const AS_SCRIPT = { origin: ORIGIN, "sec-fetch-site": "same-origin" };

/** Sends a request with the cookies of a browser, and keeps those that come back. */
export async function send(
  { service }: Pick<World, "service">,
  visitor: Visitor,
  { method = "POST", path = "/auth/account", fields = {}, headers = AS_SCRIPT }: Sent,
): Promise<Response> {
  const body = String(new URLSearchParams(fields));
  const hasBody = method !== "GET" && method !== "HEAD";
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const all = new Headers({ ...headers, cookie });
  if (hasBody) all.set("content-type", "application/x-www-form-urlencoded");
  const url = ORIGIN + path + (hasBody || !body ? "" : `?${body}`);
  const response = await handlerOf(service.engine)(
    new Request(url, { method, headers: all, ...(hasBody && { body }) }),
  );
  for (const header of response.headers.getSetCookie()) {
    const { name, value, attributes } = readSetCookie(header);
    if (attributes.get("max-age") === "0" || value === "") visitor.cookies.delete(name);
    else visitor.cookies.set(name, value);
  }
  return response;
}

/** Sends the form of an act, with its token. */
export async function sendAct(
  world: World,
  visitor: Visitor,
  fields: Readonly<Record<string, string>>,
  headers?: Sent["headers"],
): Promise<Response> {
  const { csrfToken } = world.service;
  return await send(world, visitor, { fields: { csrfToken, ...fields }, ...(headers && { headers }) });
}

/** The account as somebody sees it. */
export async function viewOf(world: World, visitor: Visitor): Promise<NonNullable<AccountJson["view"]>> {
  const response = await send(world, visitor, { method: "GET" });
  const { view, error }: AccountJson = await response.json();
  return view ?? assert.fail(`there is no page: ${error}`);
}

/** The id by which forms name an account at a provider. */
export async function accountIdOf(world: World, visitor: Visitor, provider: string): Promise<string> {
  const { ways } = await viewOf(world, visitor);
  return ways?.find((way) => way.provider === provider)?.id ?? assert.fail(`there is no account of ${provider}`);
}

/** The id by which forms name the passkey of somebody. */
export async function passkeyIdOf(world: World, visitor: Visitor): Promise<string> {
  return (await viewOf(world, visitor)).passkeys?.[0]?.id ?? assert.fail("there is no passkey");
}

/** The kinds of records that are somebody's. */
export const KINDS = [
  ...["password", "factor", "device", "key", "pending", "seen", "passkey-info", "lost", "removed", "email-change"],
  "deletion",
] as const;

/** Everything that is stored of somebody. */
export interface Kept {
  readonly user: unknown;
  readonly accounts: unknown;
  readonly passkeys: unknown;
  readonly sessions: unknown;
  readonly records: readonly StoredRecord[];
}

/** Reads everything that is stored of somebody. */
export async function keptOf({ adapter }: Pick<World, "adapter">, userId: string): Promise<Kept> {
  const records: StoredRecord[] = [];
  for (const kind of KINDS) records.push(...await adapter.listRecords?.({ kind, userId }) ?? []);
  return {
    user: await adapter.getUser?.(userId) ?? null,
    accounts: await adapter.listAccountsByUserId?.(userId) ?? null,
    passkeys: await adapter.listAuthenticatorsByUserId?.(userId) ?? null,
    sessions: await adapter.listSessionsByUserId?.(userId) ?? null,
    records,
  };
}

/** The links of the emails to an address, oldest first, that have one. */
export function linksTo({ mails }: Pick<World, "mails">, address: string): URL[] {
  return mails.filter(({ to }) => to === address).flatMap(({ text }) => {
    const [link] = /https?:\S+/.exec(text ?? "") ?? [];
    return link === undefined ? [] : [new URL(link)];
  });
}

/** The token of the newest link to an address that is about an act. */
export function tokenTo(world: Pick<World, "mails">, address: string, act: string): string {
  const links = linksTo(world, address).filter(({ searchParams }) => searchParams.get("act") === act);
  return links.at(-1)?.searchParams.get("token") ?? assert.fail(`no link was sent to ${address} for ${act}`);
}

/** The subjects of the emails to an address. */
export function subjectsTo({ mails }: Pick<World, "mails">, address: string): string[] {
  return mails.filter(({ to }) => to === address).map(({ subject }) => subject);
}
