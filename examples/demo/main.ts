/**
 * A small site with four ways to sign in, sign-up with a password, an account page, and storage. Start it with `deno task demo`.
 *
 * @module
 */
import { createAuth, type Handler, type Session } from "@x/auth";
import { accountPage } from "@x/auth/account";
import { limits } from "@x/auth/limits";
import { passkey } from "@x/auth/providers/passkey";
import { password } from "@x/auth/providers/password";
import { parseArgs } from "node:util";
import { startDemoId } from "./demo_id.ts";
import { openMailbox } from "./mailbox.ts";
import { nicknameSection } from "./nickname.ts";
import {
  asset,
  demoIdPage,
  homePage,
  html,
  ICON,
  lastMethodPage,
  mailboxPage,
  membersPage,
  notFoundPage,
  styleSheet,
} from "./pages.ts";
import { changePasskey, signInMethodsOf } from "./passkeys.ts";
import { openStore, type Store, type StoreName, STORES } from "./store.ts";

const ADA = { name: "Ada Lovelace", email: "ada@example.com", password: "analytical engine 1843" };

const { port, idpPort, storeName } = readOptions();
const site = `http://localhost:${port}`;
const mailbox = openMailbox();
const { adapter, where } = await openStoreOrStop(storeName);

const demoId = await startOrStop(idpPort, "--idp-port", () =>
  startDemoId({
    port: idpPort,
    clients: [{ clientId: "demo", clientSecret: "demo-secret", redirectUris: [`${site}/auth/callback/demo-id`] }],
    loginPage: (view) => demoIdPage(view, `${site}/style.css`),
  }));

// 1. Configure how users sign in, and where to store them.

const { account, handler, auth, check, passwords, sessions } = createAuth({
  secret: Deno.env.get("AUTH_SECRET") ?? randomSecret(),
  adapter,
  providers: [
    passkey({ name: "a passkey" }),
    {
      id: "demo-id",
      name: "Demo ID",
      type: "oidc",
      issuer: demoId.issuer,
      clientId: "demo",
      clientSecret: "demo-secret",
      // Without `prompt`, Demo ID would remember your choice and not show its page again.
      authorization: { params: { scope: "openid profile email", prompt: "login" } },
      // Demo ID verifies addresses, and so does this site. So Ada is one user, however she signs in.
      allowDangerousEmailAccountLinking: true,
    },
    mailbox.provider,
    // With the pages to register, and to reset and change a password.
    password({ name: "a password" }),
  ],
  mail: mailbox.mail,
  features: [
    // Nothing is in front of the demo, so whoever is connected is the visitor.
    limits({ clientAddress: "connection" }),
    // At /auth/account people see and change their account. Who deletes it has a week to change their mind.
    accountPage({ delete: { graceDays: 7 }, sections: [nicknameSection()] }),
  ],
  theme: { name: "the demo" },
  // Visitors who are not signed in go to the sign-in page, and come back afterwards.
  protect: ["/members/*", "/passkeys/*"],
  callbacks: {
    // What this returns is sent to the browser, so it names each member. The pages read records of the user by the id.
    session: ({ session, user }) => ({
      expires: session.expires,
      user: { id: user?.id, name: user?.name, email: user?.email, image: user?.image },
    }),
  },
});

// 2. Use the session in your own pages, and give the handler its paths.

const pages = auth(async (request, session) => {
  const { pathname } = new URL(request.url);
  if (pathname === "/") return html(homePage({ session, login: ADA }));
  if (pathname === "/members" && session) return html(membersPage(await recordsOf(session, request)));
  if (pathname === "/passkeys" && session && isOwnForm(request)) return await answerPasskeyForm(request, session);
  if (pathname === "/mailbox") return html(mailboxPage(mailbox.emails));
  if (pathname === "/style.css") return asset(await style, "text/css; charset=utf-8");
  if (pathname === "/favicon.ico") return asset(ICON, "image/svg+xml");
  return html(notFoundPage(), 404);
});

/** The pages of the demo look like those of the library: their style sheet begins with that of its sign-in page. */
const style = handler(new Request(`${site}/auth/signin`)).then(async (page) => styleSheet(await page.text()));

async function recordsOf(session: Session, request: Request) {
  const id = session.user?.id ?? "";
  const [methods, listed] = await Promise.all([signInMethodsOf(adapter, id), sessions.list(request)]);
  return { session, sessions: listed, ...methods };
}

// Browsers send the origin of a form. Without this check, any site could post one.
function isOwnForm(request: Request): boolean {
  return request.method === "POST" && request.headers.get("origin") === site;
}

async function answerPasskeyForm(request: Request, session: Session): Promise<Response> {
  const form = new URLSearchParams(await request.text());
  const change = {
    userId: session.user?.id ?? "",
    credentialID: form.get("passkey") ?? "",
    name: form.has("remove") ? null : form.get("name") ?? "",
  };
  const result = await changePasskey(adapter, change);
  switch (result) {
    case "done":
      return new Response(null, { status: 303, headers: { location: "/members" } });
    case "last":
      return html(lastMethodPage(), 409);
    case "unknown":
      return html(notFoundPage(), 404);
    default:
      return result satisfies never;
  }
}

const serve: Handler = (request, info) => {
  return new URL(request.url).pathname.startsWith("/auth/") ? handler(request, info) : pages(request, info);
};

// Says all that is wrong before the first visitor comes.
await check();
// A site calls this once a day.
await account.deleteDue();
await addAda();
await startOrStop(
  port,
  "--port",
  () => Deno.serve({ port, hostname: "127.0.0.1", onListen: printIntroduction }, serve),
);

// The rest starts the demo.

/** Adds somebody with a password, so that it can be tried at once. */
async function addAda(): Promise<void> {
  const { name, email, password } = ADA;
  if (await adapter.getUserByEmail(email)) return;
  const { id } = await adapter.createUser({ id: crypto.randomUUID(), name, email, emailVerified: new Date() });
  await passwords.set(id, password);
}

function printIntroduction(): void {
  const others = STORES.filter((name) => name !== storeName).join("|");
  print(`
  Open ${site} and sign in:

  Demo ID    an OpenID Provider, at ${demoId.issuer}
  Password   ${ADA.email}, ${ADA.password}; or register at ${site}/auth/signup
  Email      any address; emails arrive at ${site}/mailbox
  Passkey    your browser makes one

  Your account is at ${site}/auth/account, once you are signed in.

  Records are ${where}. Elsewhere: --store ${others}
  Stop with Ctrl+C. All options: --help
`);
}

// Sign-in links of a former start stop working. Sessions do not: they are in storage.
function randomSecret(): string {
  return crypto.randomUUID() + crypto.randomUUID();
}

interface Options {
  readonly port: number;
  readonly idpPort: number;
  readonly storeName: StoreName;
}

function usage(): string {
  return `Usage: deno task demo [options]

  --port 3000       the port of the site
  --idp-port 3001   the port of Demo ID
  --store sqlite    where records are kept: ${STORES.join(", ")}
  --help            prints this

postgres is the database of the environment variable DATABASE_URL. AUTH_SECRET is the secret; without it the demo makes
one at each start. The demo reads and writes the folder demo-data, and uses the network of this machine only.`;
}

function readOptions(): Options {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: "string", default: "3000" },
        "idp-port": { type: "string", default: "3001" },
        store: { type: "string", default: "sqlite" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help) {
      print(usage());
      Deno.exit(0);
    }
    return { port: asPort(values.port), idpPort: asPort(values["idp-port"]), storeName: asStore(values.store) };
  } catch (error) {
    return stop(`${error instanceof Error ? error.message : error}\n\n${usage()}`);
  }
}

function asStore(text: string): StoreName {
  const found = STORES.find((name) => name === text);
  if (found) return found;
  throw new RangeError(`There is no store "${text}". Choose from ${STORES.join(", ")}`);
}

async function openStoreOrStop(name: StoreName): Promise<Store> {
  try {
    return await openStore(name);
  } catch (error) {
    const hint = name === "postgres" ? " Is it running, and is DATABASE_URL correct?" : "";
    return stop(`Cannot open ${name}: ${error instanceof Error ? error.message || error.name : error}.${hint}`);
  }
}

function asPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65535) return port;
  throw new RangeError(`Cannot use port "${text}": it must be a number from 1 to 65535`);
}

async function startOrStop<T>(port: number, option: string, start: () => T | Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== "EADDRINUSE") throw error;
    return stop(`Port ${port} is taken. Choose another one: deno task demo ${option} ${port + 1000}`);
  }
}

function stop(message: string): never {
  print(message);
  Deno.exit(1);
}

function print(text: string): void {
  // deno-lint-ignore no-console -- a program for the terminal
  console.log(text);
}
