/**
 * What strangers can see of a service, and whether it tells them who its users are: the same requests go to services that
 * differ in nothing but what is stored, and everything that comes back is compared.
 *
 * @module
 */
import type { Adapter, AuthConfig, CompleteAdapter } from "@x/auth";
import { Browser } from "./browser.ts";
import { chanceOf } from "./chance.ts";
import { serve } from "./faults.ts";
import { createIssuer, type Issuer } from "./issuer.ts";
import { mailbox } from "./mailbox.ts";
import { testRuntime } from "./runtime.ts";
import { recordLog, testConfig } from "./service.ts";
import type { StoreKind } from "./stores.ts";

/** An answer, without what is random or sealed: of that the length stays. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly cookies: readonly string[];
  readonly body: string;
}

/** All that came of the requests of a stranger. */
export interface Sight {
  readonly answers: readonly Answer[];
  /** The operations of storage, in order. */
  readonly calls: readonly string[];
  /** The emails: to whom, and what is in them. */
  readonly mails: readonly string[];
}

/** What of two sights is not the same. */
export type Difference = keyof Answer | "answers" | "calls" | "mails";

/** What a stranger has to work with. */
export interface Stranger {
  readonly browser: Browser;
  readonly issuer: Issuer;
  /** Gives a browser that nobody has used. */
  another(): Browser;
}

/** A service, and what a stranger does there. */
export interface Scene {
  /** The configuration, with the providers that strangers try. */
  readonly config: (issuer: Issuer) => AuthConfig;
  /** Options of the provider of email, which each service has. */
  readonly email?: Parameters<typeof mailbox>[0];
  readonly act: (stranger: Stranger) => Promise<unknown>;
}

/** Where the requests go: what is stored there, and where. */
export interface Place {
  readonly kind: StoreKind;
  readonly strategy: "jwt" | "database";
  /** Puts there who is known. */
  readonly fill: (rows: CompleteAdapter) => Promise<unknown>;
}

// A state that comes twice is refused as a replay, by what a process remembers: so chance is another each time.
let seed = 20310406;

/** Lets a stranger act in a place, and tells what they saw. */
export async function sightOf({ config, email, act }: Scene, { kind, strategy, fill }: Place): Promise<Sight> {
  const chance = chanceOf(seed++);
  const issuer = createIssuer();
  const runtime = {
    ...testRuntime({ fetch: issuer.fetch }),
    random: <Bytes extends Uint8Array>(bytes: Bytes): Bytes => bytes.map(() => chance.below(256)) as Bytes,
  };
  const store = kind.open(runtime.now);
  await fill(store.rows);
  const [answers, calls]: [Answer[], string[]] = [[], []];
  const box = mailbox(email);
  const { providers = [], ...rest } = config(issuer);
  const site = serve(
    testConfig({
      adapter: recording(store.adapter, calls),
      session: { strategy },
      logger: recordLog().logger,
      providers: [box.provider, ...providers],
      ...rest,
    }),
    runtime,
  );
  const another = () => {
    return new Browser(async (request) => {
      const response = await site(request);
      answers.push(await readAnswer(response.clone()));
      return response;
    }, { mayFail: true });
  };
  await act({ browser: another(), issuer, another });
  store.close();
  const mails = box.mails.map(({ identifier, url, token, expires }) => {
    return masked([identifier, url, token, expires.toISOString()].join(" "));
  });
  return { answers, calls, mails };
}

/** Lists what a stranger can tell two services apart by. */
export function differencesOf(one: Sight, other: Sight): Difference[] {
  const found = new Set<Difference>();
  if (one.answers.length !== other.answers.length) found.add("answers");
  for (const [at, answer] of one.answers.entries()) {
    for (const name of ["status", "headers", "cookies", "body"] as const) {
      if (!isSame(answer[name], other.answers[at]?.[name])) found.add(name);
    }
  }
  for (const name of ["calls", "mails"] as const) if (!isSame(one[name], other[name])) found.add(name);
  return [...found].toSorted();
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function recording(adapter: Adapter, calls: string[]): Adapter {
  const names = Object.keys(adapter) as (keyof Adapter)[];
  return Object.fromEntries(names.map((name) => [name, (...args: unknown[]) => {
    calls.push(name);
    return (adapter[name] as (...args: unknown[]) => unknown)(...args);
  }]));
}

async function readAnswer(response: Response): Promise<Answer> {
  const { status, headers } = response;
  return {
    status,
    headers: [...headers].filter(([name]) => name !== "set-cookie").map(([name, value]) => [name, masked(value)]),
    cookies: headers.getSetCookie().map(masked),
    body: masked(await response.text()),
  };
}

/** Sealed values, hashes, ids, random texts of at least 32 bytes, and the ends of the names of cookies. */
const RANDOM =
  /eyJ[\w-]+(?:\.[\w-]*){2,4}|(?<=authjs\.state\.)[\w-]+|(?<=\d{10}\.\d{1,10}\.)[\w-]{22}|[0-9a-f]{32,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w-]{43,}/g;

function masked(text: string): string {
  return text.replaceAll(RANDOM, (token) => "*".repeat(token.length));
}
