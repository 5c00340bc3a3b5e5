/**
 * A small site with two ways of signing in. Start it with `deno task demo`.
 *
 * @module
 */
import { createAuth, type Handler } from "@x/auth";
import { CredentialsSignin } from "@x/auth/errors";
import { credentials } from "@x/auth/providers/credentials";
import { parseArgs } from "node:util";
import { startDemoId } from "./demo_id.ts";
import { asset, demoIdPage, homePage, html, ICON, membersPage, notFoundPage, STYLE } from "./pages.ts";

const ADA = { username: "ada", password: "lovelace" };

const { port, idpPort } = readOptions();
const site = `http://localhost:${port}`;

const demoId = await orExplain(idpPort, "--idp-port", () =>
  startDemoId({
    port: idpPort,
    clients: [{ clientId: "demo", clientSecret: "demo-secret", redirectUris: [`${site}/auth/callback/demo-id`] }],
    loginPage: demoIdPage,
  }));

// 1. Tell it how people sign in.

/** The code appears in the address bar: it says what is wrong and not whether the account exists. */
class WrongPassword extends CredentialsSignin {
  override code = "wrong_password";
}

const { handler, auth } = createAuth({
  secret: Deno.env.get("AUTH_SECRET") ?? randomSecret(),
  trustHost: true,
  providers: [
    {
      id: "demo-id",
      name: "Demo ID",
      type: "oidc",
      issuer: demoId.issuer,
      clientId: "demo",
      clientSecret: "demo-secret",
      // Demo ID would remember who you are; being asked again is more fun.
      authorization: { params: { scope: "openid profile email", prompt: "login" } },
    },
    credentials({
      name: "a password",
      credentials: {
        username: { label: "User name", autocomplete: "username", required: true },
        password: { label: "Password", type: "password", required: true },
      },
      authorize({ username, password }) {
        // A real site looks the user up and verifies a password hash.
        if (username !== ADA.username || password !== ADA.password) {
          throw new WrongPassword("Cannot sign in: wrong password");
        }
        return { id: "ada", name: "Ada Lovelace", email: "ada@example.com" };
      },
    }),
  ],
  callbacks: {
    // Asked before every page. Whoever is turned away comes to the sign-in page, and from there back.
    authorized: ({ auth: session, request }) => new URL(request.url).pathname !== "/members" || session !== null,
  },
});

// 2. Give it its own paths, and use the session in yours.

const pages = auth((request, session) => {
  const { pathname } = new URL(request.url);
  if (pathname === "/") return html(homePage({ session, hint: ADA }));
  if (pathname === "/members" && session) return html(membersPage(session));
  if (pathname === "/style.css") return asset(STYLE, "text/css; charset=utf-8");
  if (pathname === "/favicon.ico") return asset(ICON, "image/svg+xml");
  return html(notFoundPage(), 404);
});

const serve: Handler = (request, info) => {
  return new URL(request.url).pathname.startsWith("/auth/") ? handler(request, info) : pages(request, info);
};

await orExplain(port, "--port", () => Deno.serve({ port, hostname: "127.0.0.1", onListen: introduce }, serve));

// The rest is about starting a demo.

function introduce(): void {
  say(`
  Open ${site}

  Demo ID listens on ${demoId.issuer}; the password of "${ADA.username}" is "${ADA.password}". Stop with Ctrl+C.

  What this program may do, and why:
    --allow-net=localhost,127.0.0.1   serve the site and Demo ID, and ask Demo ID for tokens; no other host
    --allow-env                       read AUTH_SECRET; the library behind Demo ID looks for its debug switches
  It reads no file, writes none, and starts no program.
`);
}

function randomSecret(): string {
  say("AUTH_SECRET is not set: using a random secret, so that sessions end with this program.");
  return crypto.randomUUID() + crypto.randomUUID();
}

function readOptions(): { readonly port: number; readonly idpPort: number } {
  try {
    const { values } = parseArgs({
      options: { port: { type: "string", default: "3000" }, "idp-port": { type: "string", default: "3001" } },
    });
    return { port: asPort(values.port), idpPort: asPort(values["idp-port"]) };
  } catch (error) {
    return stop(
      `${error instanceof Error ? error.message : error}\nUsage: deno task demo [--port 3000] [--idp-port 3001]`,
    );
  }
}

function asPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65535) return port;
  throw new RangeError(`Cannot use port "${text}": it must be a number from 1 to 65535`);
}

async function orExplain<T>(port: number, option: string, start: () => T | Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== "EADDRINUSE") throw error;
    return stop(`Port ${port} is taken. Choose another one: deno task demo ${option} ${port + 1000}`);
  }
}

function stop(message: string): never {
  say(message);
  Deno.exit(1);
}

function say(text: string): void {
  // deno-lint-ignore no-console -- a program for the terminal
  console.log(text);
}
