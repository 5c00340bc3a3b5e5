/** A site of this service whose pages use `next-auth/react` and `next-auth/webauthn`, as they are on npm. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { limits } from "@x/auth/limits";
import { nodeListener } from "@x/auth/node";
import { passkey } from "@x/auth/providers/passkey";
import { QUIET, run } from "../../scripts/npm/run.ts";
import { freePort } from "../_support/free_port.ts";
import { startIdentityProvider } from "../_support/identity_provider.ts";
import { password, testConfig } from "../_support/service.ts";
import { nodeEnvironment } from "./_examples.ts";

const PACKAGES = [
  "@simplewebauthn/browser@9.0.1",
  "esbuild@0.28.2",
  "next-auth@5.0.0-beta.32",
  "react@19.3.1",
  "react-dom@19.3.1",
];

/** The script of the page: what somebody has written for next-auth, and its functions within reach of a test. */
const SCRIPT = `
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { getCsrfToken, getProviders, getSession, SessionProvider, signIn, signOut, useSession } from "next-auth/react";
import { signIn as signInWithPasskey } from "next-auth/webauthn";

function Greeting() {
  const { data, status, update } = useSession();
  globalThis.update = update;
  return createElement("p", { id: "state" }, \`\${status} \${data?.user?.name ?? data?.user?.email ?? ""}\`.trim());
}

createRoot(document.getElementById("app")).render(createElement(SessionProvider, null, createElement(Greeting)));
Object.assign(globalThis, { getCsrfToken, getProviders, getSession, signIn, signOut, signInWithPasskey });
`;

/** Installs the packages, unless they are there, and makes the script of the page. */
async function bundle(): Promise<string> {
  const folder = `${Deno.cwd()}/npm/frameworks/next-auth`;
  const [done, env] = [`${folder}/node_modules/.done`, await nodeEnvironment()];
  mkdirSync(folder, { recursive: true });
  if (!existsSync(done) || readFileSync(done, "utf8") !== `${PACKAGES}`) {
    writeFileSync(`${folder}/package.json`, "{}");
    // Next itself is a peer that the client does without.
    const args = ["install", ...QUIET, "--prefer-offline", "--no-package-lock", "--legacy-peer-deps", ...PACKAGES];
    // With the settings of this machine: npm may need a proxy, or certificates.
    await run("npm", args, { cwd: folder, env: { ...Deno.env.toObject(), ...env } });
    writeFileSync(done, `${PACKAGES}`);
  }
  writeFileSync(`${folder}/page.js`, SCRIPT);
  const esbuild = `${folder}/node_modules/.bin/esbuild`;
  const options = ["--bundle", "--format=esm", "--define:process.env={}", "--log-level=error"];
  return await run(esbuild, [`${folder}/page.js`, ...options], { cwd: folder, env });
}

export interface NextAuthSite {
  readonly origin: string;
  readonly issuer: string;
  close(): Promise<void>;
}

export async function startNextAuthSite(): Promise<NextAuthSite> {
  const script = await bundle();
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const identityProvider = await startIdentityProvider({ sites: [`${origin}/api`] });
  const { handler } = createAuth(testConfig({
    basePath: "/api/auth",
    adapter: memoryAdapter(),
    session: { strategy: "jwt" },
    providers: [passkey(), password(), identityProvider.provider()],
    features: [limits()],
    callbacks: {
      jwt: ({ token, trigger, session }) => trigger === "update" ? { ...token, ...(session as object) } : token,
    },
  }));
  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/api/auth/")) return await handler(request);
    if (pathname === "/page.js") return new Response(script, { headers: { "content-type": "text/javascript" } });
    return pathname === "/" ? new Response(PAGE, { headers: { "content-type": "text/html" } }) : NOT_FOUND.clone();
  }
  const server = createServer(nodeListener(answer));
  await new Promise<void>((resolve) => server.listen(port, "localhost", resolve));
  return {
    origin,
    issuer: identityProvider.issuer,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await identityProvider.close();
    },
  };
}

const NOT_FOUND = new Response(null, { status: 404 });

const PAGE = `<!doctype html><html lang=en><link rel=icon href="data:,"><title>Site</title><body><div id=app></div>
<script type=module src="/page.js"></script>`;
