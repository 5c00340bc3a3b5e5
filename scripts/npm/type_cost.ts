/**
 * Counts what the types of the package cost compilers and editors: the types that TypeScript makes of generic ones
 * (instantiations) while it checks an application. The same compiler counts the same everywhere, unlike a clock.
 *
 * @module
 */
import { makeConsumer, type Trial } from "./consumer.ts";
import { run } from "./run.ts";

/** One version: each counts differently. */
const COMPILER = "typescript@5.9.3";

/** Applications, by what their configuration has. None needs another package. */
const APPLICATIONS: Readonly<Record<string, string>> = {
  "one provider": `
import { createAuth } from "@x/auth";
import { github } from "@x/auth/providers/github";
export const auth = createAuth({ providers: [github()] });`,
  "a provider as it is": `
import { createAuth } from "@x/auth";
import { github } from "@x/auth/providers/github";
export const auth = createAuth({ providers: [github] });`,
  "eight providers": `
import { createAuth } from "@x/auth";
import { apple } from "@x/auth/providers/apple";
import { discord } from "@x/auth/providers/discord";
import { github } from "@x/auth/providers/github";
import { gitlab } from "@x/auth/providers/gitlab";
import { google } from "@x/auth/providers/google";
import { keycloak } from "@x/auth/providers/keycloak";
import { passkey } from "@x/auth/providers/passkey";
import { resend } from "@x/auth/providers/resend";
export const auth = createAuth({
  providers: [apple(), discord(), github(), gitlab(), google(), keycloak(), passkey(), resend({ from: "a@b.test" })],
});
export const signIn = (request: Request) => auth.signIn(request, "keycloak");`,
  "a form": `
import { createAuth } from "@x/auth";
import { credentials } from "@x/auth/providers/credentials";
const form = credentials({
  credentials: { email: { type: "email" }, password: { type: "password" } },
  authorize: ({ email, password }) => password === "x" ? { id: "1", email: String(email) } : null,
});
export const auth = createAuth({ providers: [form] });
export const signIn = (request: Request) => auth.signIn(request, "credentials", { email: "a", password: "b" });`,
  "callbacks that add claims": `
import { createAuth } from "@x/auth";
import { google } from "@x/auth/providers/google";
export const auth = createAuth({
  providers: [google()],
  callbacks: {
    signIn: ({ profile }) => profile?.email_verified === true,
    jwt: ({ token, user }) => ({ ...token, role: user ? "staff" as const : "guest" as const }),
    session: ({ session, token }) => ({ ...session, role: token.role }),
    authorized: ({ auth }) => auth?.role === "staff",
  },
});
export const role = async (request: Request) => (await auth.auth(request))?.role;`,
  "stored sessions": `
import { createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { github } from "@x/auth/providers/github";
export const auth = createAuth({
  adapter: memoryAdapter(),
  session: { strategy: "database" },
  providers: [github()],
  callbacks: { session: ({ session, user }) => ({ ...session, id: user.id }) },
});
export const id = async (request: Request) => (await auth.auth(request))?.id;`,
  "a configuration of its own": `
import { createAuth, defineConfig } from "@x/auth";
import { github } from "@x/auth/providers/github";
import { google } from "@x/auth/providers/google";
const config = defineConfig({ providers: [github(), google()] });
export const auth = createAuth(config);
export type Ids = typeof auth.$infer.ProviderId;
export const one: Ids = "github";`,
  "a configuration for each request": `
import { createAuth } from "@x/auth";
import { github } from "@x/auth/providers/github";
export const auth = createAuth(async (request) => ({
  providers: [github({ clientId: new URL(request?.url ?? "http://a.test").hostname })],
}));`,
  "a wide configuration": `
import { Auth, type AuthConfig, createAuth } from "@x/auth";
import { github } from "@x/auth/providers/github";
const config: AuthConfig = { providers: [github()], callbacks: { jwt: ({ token }) => token } };
export const auth = createAuth(config);
export const answer = (request: Request) => Auth(request, config);`,
  "a binding": `
import { HonoAuth } from "@x/auth/hono";
import { github } from "@x/auth/providers/github";
export const auth = HonoAuth({ providers: [github()], callbacks: { session: ({ session }) => ({ ...session, a: 1 }) } });`,
  "a browser client": `
import { createAuth } from "@x/auth";
import { createAuthClient } from "@x/auth/client";
import { github } from "@x/auth/providers/github";
const auth = createAuth({ providers: [github()], callbacks: { session: ({ session }) => ({ ...session, a: 1 }) } });
export const client = createAuthClient<typeof auth>();
export const a = async () => (await client.getSession())?.a;`,
};

const OPTIONS = {
  ...{ noEmit: true, strict: true, skipLibCheck: true, module: "esnext", moduleResolution: "bundler" },
  ...{ target: "es2022", lib: ["es2022", "dom", "dom.iterable"], types: [] },
};

/** Compiles each application by itself. @returns a line for each: what it has, and how many instantiations. */
export async function countTypes(folder: string, { tarball, node, progress }: Trial): Promise<string[]> {
  const names = Object.entries(APPLICATIONS).map(([name, text]) => ({ name, text, file: name.replaceAll(" ", "_") }));
  const files = names.flatMap(({ text, file }) => [
    [`${file}.ts`, `${text.trim()}\n`],
    [`${file}.json`, JSON.stringify({ compilerOptions: OPTIONS, files: [`${file}.ts`] })],
  ]);
  await makeConsumer(folder, Object.fromEntries(files), [tarball, COMPILER]);
  const lines: string[] = [];
  for (const { name, file } of names) {
    progress(`TypeScript counts the types of ${name}`);
    const args = ["node_modules/typescript/bin/tsc", "--project", `${file}.json`, "--extendedDiagnostics"];
    const said = await run(node.command, args, { cwd: folder });
    const [, count] = /^Instantiations: +(\d+)$/m.exec(said) ?? [];
    if (!count) throw new Error(`TypeScript does not say how many instantiations ${name} takes: ${said.slice(-2000)}`);
    lines.push(`${name}: ${count}`);
  }
  return lines;
}
