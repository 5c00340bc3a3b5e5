/** What is common to the applications that are written for Auth.js, and run with this package after other imports. */
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { test } from "node:test";
import { installExample, nodeEnvironment } from "./_examples.ts";
import { type Place, runNpm, type Server, startNpm } from "./_programs.ts";

/** What people change who come from Auth.js: these lines, and no other. */
const IMPORTS: readonly (readonly [RegExp, string])[] = [
  [/^(import .*) from "(?:@auth\/\w+|next-auth)\/providers\/(\S+)";$/gm, '$1 from "@x/auth/providers/$2";'],
  [
    /^import type \{ ExpressAuthConfig \} from "@auth\/express";$/gm,
    'import type { AuthConfig as ExpressAuthConfig } from "@x/auth";',
  ],
  [/^import \{ CredentialsSignin \} from "@auth\/express";$/gm, 'import { CredentialsSignin } from "@x/auth/errors";'],
  [/^(import .*) from "@auth\/express";$/gm, '$1 from "@x/auth/express";'],
  [/^(import .*) from "@auth\/solid-start\/providers\/(\S+)";$/gm, '$1 from "@x/auth/providers/$2";'],
  [/^( *import .*) from "@auth\/(solid-start|sveltekit)(|\/client|\/components)";$/gm, '$1 from "@x/auth/$2$3";'],
  [/^declare module "@auth\/(?:core|solid-start|sveltekit)(\/jwt)?" \{$/gm, 'declare module "@x/auth$1" {'],
  [/^(import .*) from "@auth\/core\/types";$/gm, '$1 from "@x/auth";'],
  [/^(import .*) from "@auth\/core\/jwt";$/gm, '$1 from "@x/auth/jwt";'],
  [/^(import .*) from "next-auth";$/gm, '$1 from "@x/auth/next";'],
  [/^(import .*) from "next-auth\/react";$/gm, '$1 from "@x/auth/next-react";'],
  [/^(import .*) from "next-auth\/providers";$/gm, '$1 from "@x/auth/providers";'],
  [/^(import .*) from "next-auth\/jwt";$/gm, '$1 from "@x/auth/jwt";'],
  [/^declare module "next-auth" \{$/gm, 'declare module "@x/auth/next" {'],
  [/^declare module "next-auth\/jwt" \{$/gm, 'declare module "@x/auth/jwt" {'],
];

function withOtherImports(program: string): string {
  return IMPORTS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), program);
}

/** The files of an application that may import something of Auth.js. */
function programsIn(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => /\.(?:ts|tsx|js|svelte)$/.test(name) && !/node_modules/.test(name));
}

/** Writes the programs of an application to another folder, with other imports. */
export function switchImports(from: string, to: string): void {
  for (const name of programsIn(from)) {
    mkdirSync(dirname(`${to}/${name}`), { recursive: true });
    writeFileSync(`${to}/${name}`, withOtherImports(readFileSync(`${from}/${name}`, "utf8")));
  }
}

/** Checks that only lines with imports differ, and that nothing of Auth.js is left but its adapter. */
export function assertOnlyImportsChanged(from: string, to: string): void {
  let changes = 0;
  for (const name of programsIn(from)) {
    const [lines = [], switched = []] = [from, to].map((at) => readFileSync(`${at}/${name}`, "utf8").split("\n"));
    assert.equal(switched.length, lines.length);
    const changed = lines.filter((line, at) => line !== switched[at]);
    for (const line of changed) assert.match(line, /^\s*(?:import|export) .* from |^\s*declare module /);
    assert.doesNotMatch(switched.join("\n"), /@auth\/(?!unstorage-adapter)|next-auth/);
    changes += changed.length;
  }
  assert.ok(changes > 0);
}

/** The folders of an application. */
export type Installed = Readonly<Record<Side, string>>;

/**
 * Installs an application that has to be built, with both packages, writes it with other imports to a folder below, and
 * builds both.
 */
export async function installSwitched(name: string, source: string): Promise<Installed> {
  const theirs = await installExample({ name: `authjs-${name}`, basePath: "/auth", built: false, source });
  const ours = `${theirs}/switched`;
  rmSync(ours, { recursive: true, force: true });
  cpSync(source, ours, { recursive: true, filter: (path) => basename(path) !== "node_modules" });
  cpSync(`${theirs}/package.json`, `${ours}/package.json`);
  switchImports(source, ours);
  const env = { ...await nodeEnvironment(), ...ENVIRONMENT };
  await Promise.all([theirs, ours].map((cwd) => runNpm(["run", "build"], { cwd, env }, 300)));
  return { theirs, ours };
}

/** What both are started with. */
export const ENVIRONMENT: Readonly<Record<string, string>> = {
  AUTH_SECRET: "a secret of this test, longer than 32 characters",
  AUTH_GITHUB_ID: "github-id",
  AUTH_GITHUB_SECRET: "github-secret",
  AUTH_GOOGLE_ID: "google-id",
  AUTH_GOOGLE_SECRET: "google-secret",
};

/** The first element of a name in a page. */
export function partOf(element: string, html: string): string {
  return new RegExp(`<${element}[ >].*?</${element}>`, "s").exec(html)?.[0] ?? assert.fail(`There is no <${element}>`);
}

/** Both sides. */
export const SIDES = ["theirs", "ours"] as const;
/** One of them. */
export type Side = typeof SIDES[number];

/** The servers of both sides. */
export class Servers {
  readonly #running = new Map<Side, { readonly server: Server; readonly origin: string }>();

  /** Starts one. @param said What it prints once it listens. */
  async start(side: Side, { cwd, env }: Place, { port, said }: { port: number; said: string }): Promise<void> {
    const server = await startNpm("start", { cwd, env: { ...env, PORT: String(port) } }, said);
    this.#running.set(side, { server, origin: `http://localhost:${port}` });
  }

  async stop(): Promise<void> {
    for (const { server } of this.#running.values()) await server.stop();
  }

  originOf(side: Side): string {
    return this.#running.get(side)?.origin ?? assert.fail();
  }

  /** The lines that the handlers of events have printed: theirs, and ours. Only the end of a long output is kept. */
  eventLines(): readonly (readonly string[])[] {
    return SIDES.map((side) => this.#running.get(side)?.server.output().match(/^signed (?:in|out).*$/gm) ?? []);
  }

  /** Tests that what visitors are told is the same on both sides. */
  testStories<V>(
    stories: Readonly<Record<string, (visitor: V) => Promise<unknown>>>,
    visit: (origin: string) => V,
  ): void {
    for (const [sentence, tell] of Object.entries(stories)) {
      test(sentence, async () => {
        const [theirs, ours] = await Promise.all(SIDES.map((side) => tell(visit(this.originOf(side)))));
        assert.deepEqual(ours, theirs);
      });
    }
  }
}

/** What a visitor gets, without what both sides need not have in common. */
export interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  readonly location: string | null;
  readonly text: string;
}

/** A visitor of a server, with cookies. */
export class Visitor {
  readonly #cookies = new Map<string, string>();
  readonly #origin: string;
  readonly #basePath: string;

  constructor(origin: string, basePath = "/auth") {
    this.#origin = origin;
    this.#basePath = basePath;
  }

  /** Sends a request, and gives what both sides have to answer in the same way. */
  async send(
    path: string,
    fields?: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const form = fields && new URLSearchParams({ ...fields, csrfToken: await this.csrf() });
    return await this.ask(path, form, { ...(form && { origin: this.#origin }), ...headers });
  }

  /** Sends a form of a page of the application, which has no CSRF token, as a browser does. */
  async sendForm(
    path: string,
    fields: Readonly<Record<string, string>>,
    page: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const sent = { origin: this.#origin, referer: this.#origin + page, accept: "text/html", ...headers };
    return await this.ask(path, new URLSearchParams(fields), sent);
  }

  /** Sends a request with a form as it is given, if one is. */
  async ask(
    path: string,
    form?: URLSearchParams | FormData,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(this.#origin + path, {
      redirect: "manual",
      headers: { cookie, ...headers },
      ...(form && { method: "POST", body: form }),
    });
    for (const text of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (value === "" || /max-age=0\b|expires=thu, 01 jan 1970/i.test(text)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    const told = (text: string): string =>
      text.replaceAll(this.#origin, "ORIGIN").replaceAll(encodeURIComponent(this.#origin), "ORIGIN");
    const text = told(await response.text());
    const type = response.headers.get("content-type")?.split(";")[0];
    const location = response.headers.get("location");
    // Auth.js names the home page without a slash.
    const to = location && told(new URL(location, this.#origin).href);
    return { status: response.status, type, location: to, text };
  }

  async csrf(): Promise<string> {
    return JSON.parse((await this.send(`${this.#basePath}/csrf`)).text).csrfToken;
  }

  /** The names of the cookies that it holds and that both sides know. */
  get cookies(): readonly string[] {
    return [...this.#cookies.keys()].filter((name) => !OF_ONE_SIDE.includes(name)).toSorted();
  }
}

/** Auth.js sets the first with every answer. The second names the way of the last sign-in. */
const OF_ONE_SIDE: readonly string[] = ["authjs.callback-url", "authjs.last-provider"];

/** An answer in JSON, without the time of its expiry. */
export function json({ status, type, text }: Answer): unknown {
  return { status, type, body: JSON.parse(text, (name, value) => name === "expires" ? typeof value : value) };
}
