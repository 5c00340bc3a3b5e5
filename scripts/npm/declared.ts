/**
 * The application whose declarations are checked, and a second application that reads them.
 *
 * @module
 */

/** A package path with a function that makes a service. */
interface Maker {
  readonly name: string;
  /** The members of the service, besides `signIn` and `signOut`. */
  readonly members: string;
  /** How many arguments come before the id of the provider in `signIn`. @default 1 */
  readonly before?: number;
  /** Where the service has `$infer`. @default the service itself */
  readonly typed?: string;
}

const MAKERS: Readonly<Record<string, Maker>> = {
  "@x/auth": { name: "createAuth", members: "$infer, accessToken, auth, check, handler, handlers, sessions, update" },
  "@x/auth/astro": { name: "AstroAuth", members: "$infer, check, onRequest, update" },
  "@x/auth/elysia": { name: "ElysiaAuth", members: "$infer, check, derive, plugin, update" },
  "@x/auth/express": { name: "ExpressAuth", members: "$infer, check, middleware, update", before: 2 },
  "@x/auth/fastify": { name: "FastifyAuth", members: "$infer, check, update", before: 2 },
  "@x/auth/fresh": { name: "FreshAuth", members: "$infer, check, handler, middleware, update" },
  "@x/auth/hono": { name: "HonoAuth", members: "$infer, check, handler, middleware, update" },
  "@x/auth/nest": { name: "NestAuth", members: "$infer, check, guard, middleware, sessionOf, update", before: 2 },
  "@x/auth/next": { name: "NextAuth", members: "auth, check, handlers, unstable_update", before: 0, typed: "auth" },
  "@x/auth/nuxt": { name: "NuxtAuth", members: "$infer, check, middleware, update" },
  "@x/auth/oak": { name: "OakAuth", members: "$infer, check, middleware, update" },
  "@x/auth/qwik": {
    name: "serverAuth$",
    members: "$infer, check, onRequest, update, useSession, useSignIn, useSignOut",
  },
  "@x/auth/react-router": {
    name: "ReactRouterAuth",
    members: "$infer, action, check, loader, middleware, session, update",
  },
  "@x/auth/solid-start": { name: "SolidAuth", members: "$infer, GET, POST, check, middleware, update" },
  "@x/auth/sveltekit": { name: "SvelteKitAuth", members: "$infer, check, handle, update" },
  "@x/auth/tanstack-start": { name: "TanStackStartAuth", members: "$infer, check, handlers, middleware, update" },
};

/** Packages that have no `getSession`. */
const WITHOUT_READING = ["@x/auth", "@x/auth/next"];

// Of a module of their own: the types of what is imported here must come from the path of the service.
const PARTS = `
export { memoryAdapter } from "@x/auth/adapters/memory";
export { credentials } from "@x/auth/providers/credentials";
export { github } from "@x/auth/providers/github";
export { google } from "@x/auth/providers/google";
export { nodemailer } from "@x/auth/providers/nodemailer";
export { passkey } from "@x/auth/providers/passkey";
export { resend } from "@x/auth/providers/resend";
`;

// The types of Qwik, which come with a hundred other packages.
const QWIK = `
declare module "@builder.io/qwik-city" {
  export interface Loader<R> { (): { readonly value: R } }
  export interface Action<R, I> { readonly submitted: I; readonly value: R }
  export interface RequestEventCommon { readonly request: Request }
}
`;

function serviceProgram(path: string, { name, members }: Maker): string {
  const make = (config: string): string => `${name}(${name.endsWith("$") ? `() => (${config})` : config})`;
  const own = `{
  providers: [github(), credentials({ credentials: { email: {}, password: {} }, authorize: () => null })],
  callbacks: {
    jwt: ({ token, account, profile }) => ({ ...token, account, profile, role: "guest" as "guest" | "staff" }),
    session: ({ session, token }) => ({ ...session, role: token?.role ?? "guest", claims: token, account: token?.account }),
  },
}`;
  const reading = WITHOUT_READING.includes(path) ? "" : `
import { getSession } from "${path}";
type Given = Parameters<typeof getSession>[0];
export const readAny = (given: Given) => getSession(given, {});
export const readOwn = (given: Given) =>
  getSession(given, { callbacks: { session: ({ session, user }) => ({ ...session, row: user }) } });
`;
  return `
import { ${name} } from "${path}";
import { credentials, github, google, memoryAdapter, nodemailer, passkey, resend } from "./parts.js";
export const config = {
  adapter: memoryAdapter(),
  providers: [github(), google(), resend({ from: "a@b.test" }), nodemailer({ server: "smtp://localhost", from: "a@b.test" }), passkey(), credentials({ authorize: () => null })],
};
export const empty = ${make("{}")};
export const plain = ${make("{ providers: [github()] }")};
export const own = ${make(own)};
export const { signIn, signOut, ${members} } = own;
export const { signIn: signInPlain, signOut: signOutPlain } = plain;
${reading}`;
}

const CLIENT = `
import * as all from "@x/auth/client";
import { createAuthClient, getProviders, getSession, type Session, update, watchSession } from "@x/auth/client";
export interface Mine extends Session { role: "guest" | "staff" }
export const plain = createAuthClient();
export const own = createAuthClient<Mine>({ basePath: "/x" });
export const { getSession: read, signIn, registerPasskey, syncPasskeys, upgradeToPasskey, signOut, update: change, getProviders: list } = own;
export const { refresh, watchSession: watch, signIn: signInPlain } = plain;
export const calls = {
  all: { ...all },
  providers: () => getProviders(),
  session: () => getSession(),
  changed: () => update<Mine>({}),
  watched: () => watchSession<Mine>(() => {}),
};
`;

const CLIENTS: Readonly<Record<string, readonly string[]>> = {
  "@x/auth/next-react": ["SessionProvider", "useSession"],
  "@x/auth/react": ["SessionProvider", "useSession"],
  "@x/auth/solid": ["useSession"],
  "@x/auth/svelte": ["sessionStore"],
  "@x/auth/vue": ["useSession"],
};

function clientProgram(path: string, names: readonly string[]): string {
  const use = names.at(-1);
  return `
import { ${names.join(", ")}, type Session, type User } from "${path}";
export interface Mine extends Session { role: "guest" | "staff" }
export interface Narrow { expires: string; user?: User | undefined; by: User }
export const useAny = () => ${use}();
export const useMine = () => ${use}<Mine>();
export const useNarrow = () => ${use}<Narrow>();
export const all = { ${names.join(", ")} };
`;
}

const ACCOUNTS: Readonly<Record<string, readonly string[]>> = {
  "@x/auth/client/account": ["account", "refreshAccountState", "watchAccount"],
  "@x/auth/client/account/react": ["useAccount"],
  "@x/auth/client/account/solid": ["useAccount"],
  "@x/auth/client/account/svelte": ["accountStore"],
  "@x/auth/client/account/vue": ["useAccount"],
};

function accountProgram(path: string, names: readonly string[]): string {
  const used = names.filter((name) => /^use|Store$/.test(name));
  return `
import { ${names.join(", ")} } from "${path}";
export const all = { ${names.join(", ")} };
${used.map((name) => `export const own = () => ${name}();`).join("\n")}
`;
}

/** The packages with the functions of Auth.js alone. */
const FUNCTIONS = ["@x/auth/solid-start/client", "@x/auth/sveltekit/client"];

function functionsProgram(path: string): string {
  return `
import { getCsrfToken, getProviders, getSession, signIn, signOut } from "${path}";
export const all = { getCsrfToken, getProviders, getSession, signIn, signOut };
export const enter = (id: string) => signIn(id);
export const leave = () => signOut();
export const read = () => getSession();
export const list = () => getProviders();
`;
}

/** Names the module of a program after its path in the package. */
function moduleOf(path: string): string {
  return path.slice("@x/".length).replaceAll(/[/-]/g, "_");
}

/** The modules of the application, by name. Each has the paths of the package that it needs and no others. */
export function declaringModules(): Record<string, string> {
  const programs = [
    ...Object.entries(MAKERS).map(([path, maker]): [string, string] => [path, serviceProgram(path, maker)]),
    ["@x/auth/client", CLIENT] as const,
    ...Object.entries(CLIENTS).map(([path, names]): [string, string] => [path, clientProgram(path, names)]),
    ...Object.entries(ACCOUNTS).map(([path, names]): [string, string] => [path, accountProgram(path, names)]),
    ...FUNCTIONS.map((path): [string, string] => [path, functionsProgram(path)]),
  ];
  return {
    "parts.ts": PARTS,
    "qwik_city.d.ts": QWIK,
    ...Object.fromEntries(programs.map(([path, text]) => [`${moduleOf(path)}.ts`, text])),
  };
}

function aloneProgram(path: string, name: string, options: string): string {
  return `
import { ${name} } from "${path}";
export const made = ${name}(${options});
export const make = () => ${name}(${options});
export const all = { ${name} };
${path.includes("/adapters/") ? "export const parts = { ...made };" : ""}
`;
}

/**
 * Modules of applications that import one path each. The compiler can name the types of what they export only if that
 * path has them. There is one for each kind of provider, and for each adapter.
 */
export const ALONE: Readonly<Record<string, string>> = {
  credentials: aloneProgram("@x/auth/providers/credentials", "credentials", "{ authorize: () => null }"),
  github: aloneProgram("@x/auth/providers/github", "github", ""),
  google: aloneProgram("@x/auth/providers/google", "google", ""),
  memory: aloneProgram("@x/auth/adapters/memory", "memoryAdapter", ""),
  nodemailer: aloneProgram(
    "@x/auth/providers/nodemailer",
    "nodemailer",
    '{ server: "smtp://a.test", from: "a@b.test" }',
  ),
  passkey: aloneProgram("@x/auth/providers/passkey", "passkey", ""),
  password: aloneProgram("@x/auth/providers/password", "password", ""),
  resend: aloneProgram("@x/auth/providers/resend", "resend", '{ from: "a@b.test" }'),
  sqlite: aloneProgram("@x/auth/adapters/sqlite", "sqliteAdapter", '"a.db"'),
  x: aloneProgram("@x/auth/providers/x", "x", ""),
};

function readService(path: string, { before = 1, typed }: Maker): string {
  const module = moduleOf(path);
  const service = (name: string): string => `typeof ${module}.${name}${typed ? `.${typed}` : ""}`;
  const types = (name: string): string => `(${service(name)})["$infer"]`;
  const signIn = (id: string): string => `${module}.signIn(${[...Array(before).fill("never"), `"${id}"`].join(", ")});`;
  const hasReading = !WITHOUT_READING.includes(path);
  return `
import * as ${module} from "../application/${module}.js";
same<${types("empty")}["Session"], Session>();
same<${types("plain")}["Session"], Session>();
same<${types("plain")}["ProviderId"], "github">();
same<${types("own")}["ProviderId"], "credentials" | "github">();
same<keyof ${types("own")}["Fields"]["credentials"], "email" | "password">();
same<${types("own")}["Session"]["role"], "guest" | "staff">();
same<${types("own")}["Token"]["role"], "guest" | "staff">();
${signIn("github")}
// @ts-expect-error: there is no such provider
${signIn("gitlab")}
// @ts-expect-error: there is no such member
export type Wrong_${module} = ${types("own")}["Session"]["rol"];
export const client_${module} = createAuthClient<${service("own")}>();
export const use_${module} = () => useSession<${service("own")}>();
same<MemberOf<typeof client_${module}.getSession, "role">, "guest" | "staff">();
${hasReading ? `same<MemberOf<typeof ${module}.readOwn, "row">, AdapterUser>();` : ""}
`;
}

/** The application that reads the declarations. It fails to compile if they have lost their meaning. */
export function readingModule(): string {
  return `
import type { AdapterUser } from "@x/auth";
import { createAuthClient, type Session } from "@x/auth/client";
import { useSession } from "@x/auth/react";
import type { SessionStore } from "@x/auth/svelte";
import * as client from "../application/auth_client.js";
import * as react from "../application/auth_react.js";
import * as solid from "../application/auth_solid.js";
import * as svelte from "../application/auth_svelte.js";
import * as vue from "../application/auth_vue.js";
type Equal<A, B> = (<X>() => X extends A ? 1 : 2) extends (<X>() => X extends B ? 1 : 2) ? true : false;
type Got<F extends (...given: never) => unknown> = NonNullable<Awaited<ReturnType<F>>>;
type MemberOf<F extends (...given: never) => unknown, K extends keyof Got<F>> = NonNullable<Got<F>[K]>;
declare function same<A, B>(..._proof: Equal<A, B> extends true ? [] : [{ a: A; b: B }]): void;
declare const never: never;
${Object.entries(MAKERS).map(([path, maker]) => readService(path, maker)).join("")}
same<MemberOf<typeof client.read, "role">, "guest" | "staff">();
same<NonNullable<ReturnType<typeof react.useMine>["data"]>["role"], "guest" | "staff">();
same<NonNullable<ReturnType<ReturnType<typeof solid.useMine>>["session"]>["role"], "guest" | "staff">();
same<ReturnType<typeof svelte.useMine>, SessionStore<svelte.Mine>>();
same<NonNullable<ReturnType<typeof vue.useMine>["session"]>["role"], "guest" | "staff">();
`;
}
