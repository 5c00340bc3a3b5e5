/** Visitors who use one service in turns, by chance: nothing that was meant for one may reach another. */
import assert from "node:assert/strict";
import { type Adapter, createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { github } from "@x/auth/providers/github";
import { passkey } from "@x/auth/providers/passkey";
import { chanceOf } from "./chance.ts";
import { CookieJar } from "./cookie_jar.ts";
import { password, testConfig } from "./service.ts";

/** Answers a request, as whatever is under test does. */
export type Ask = (path: string, init: AskOptions) => Promise<Response>;

/** A request. */
export interface AskOptions {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** A service with every kind of provider, over some storage, and a page of the application behind `auth`. */
export function openAllProviders(
  strategy: "jwt" | "database",
  origin: string,
  adapter: Adapter = memoryAdapter(),
): (request: Request) => Promise<Response> {
  const { handler, auth } = createAuth(testConfig({
    adapter,
    session: { strategy, updateAge: 0 },
    providers: [
      password({ authorize: ({ username }) => ({ id: String(username), name: String(username) }) }),
      github({ clientId: "id", clientSecret: "secret" }),
      passkey({ relayingParty: { id: new URL(origin).hostname, name: "Test", origin } }),
    ],
  }));
  const page = auth((_, session) => new Response(`Hello ${session?.user?.name ?? "stranger"}`));
  return (request) => new URL(request.url).pathname.startsWith("/auth/") ? handler(request) : page(request);
}

const PATHS = [
  "/auth/providers",
  "/auth/session",
  "/auth/csrf",
  "/auth/signin",
  "/auth/signin?error=AccessDenied",
  "/auth/signout",
  "/auth/error?error=Verification",
  "/auth/verify-request",
  "/auth/callback/github?code=1&state=1",
  "/auth/webauthn-options/passkey?action=authenticate",
  "/auth/nothing",
  "/page",
];

/** Is told of every answer: all of its text, and the values that were set in it for its visitor alone. */
type Heard = (visitor: string, path: string, text: string, own: readonly string[]) => void;

class Visitor {
  readonly name: string;
  readonly #ask: Ask;
  readonly #origin: string;
  readonly #cookies = new CookieJar();
  readonly #heard: Heard;

  constructor(name: string, origin: string, ask: Ask, heard: Heard) {
    this.name = name;
    this.#origin = origin;
    this.#ask = ask;
    this.#heard = heard;
  }

  async send(method: string, path: string, told: boolean, fields?: Record<string, string>): Promise<string> {
    const url = new URL(path, this.#origin);
    const cookie = this.#cookies.headerFor(url, { sameSite: true, safe: true });
    const response = await this.#ask(path, {
      method,
      headers: {
        ...(cookie && { cookie }),
        ...(told && { "x-auth-return-redirect": "1" }),
        ...(fields && { "content-type": "application/x-www-form-urlencoded" }),
      },
      ...(fields && { body: String(new URLSearchParams(fields)) }),
    });
    const body = await response.text();
    const set = response.headers.getSetCookie();
    // The token of a form stands before the bar, and the values of all other tokens have none.
    const own = set.flatMap((header) => /^[^=]+=([\w.-]{32,})/.exec(header)?.[1] ?? []);
    this.#heard(this.name, path, [...response.headers].map((header) => header.join(": ")).join("\n") + body, own);
    for (const header of set) this.#cookies.store(header, url);
    return body;
  }

  async post(path: string, told: boolean, fields: Record<string, string> = {}): Promise<string> {
    const { csrfToken } = JSON.parse(await this.send("GET", "/auth/csrf", told));
    return await this.send("POST", path, told, { ...fields, csrfToken });
  }
}

/**
 * Lets three visitors, one of whom never signs in, do things by chance.
 *
 * @param ask What is under test.
 * @param options Where it is, the seed of chance, and how many steps there are.
 */
export async function visitInTurns(
  ask: Ask,
  { origin, seed, steps }: { readonly origin: string; readonly seed: number; readonly steps: number },
): Promise<void> {
  const owners = new Map<string, string>();
  const heard: Heard = (name, path, text, own) => {
    assert.doesNotMatch(text, /spoiled/, `${path} was written on`);
    for (const [value, owner] of owners) {
      assert.ok(owner === name || !text.includes(value), `${path} gave ${name} what is of ${owner}`);
    }
    for (const other of ["ada", "bert"]) {
      assert.ok(other === name || !text.includes(`Hello ${other}`), `${path} took ${name} for ${other}`);
    }
    for (const value of own) owners.set(value, name);
  };
  const [ada, bert, stranger] = ["ada", "bert", "stranger"].map((name) => new Visitor(name, origin, ask, heard));
  assert.ok(ada && bert && stranger);
  const { below, pick } = chanceOf(seed);
  for (let step = 0; step < steps; step++) {
    const visitor: Visitor = pick([ada, bert, stranger]);
    const told = below(2) === 0;
    const path = pick(PATHS);
    const act = below(6);
    if (act === 0 && visitor !== stranger) {
      await visitor.post("/auth/callback/credentials", told, { username: visitor.name, password: "x" });
      // What is remembered is asked for at once by somebody who is nobody.
      for (const each of PATHS) await stranger.send("GET", each, told);
    } else if (act === 1) await visitor.post("/auth/signout", told);
    else if (act === 2) await visitor.post("/auth/signin/github", told);
    else if (act === 3) await visitor.send(pick(["HEAD", "PUT", "OPTIONS"]), path, told);
    else await visitor.send("GET", path, told);
  }
}
