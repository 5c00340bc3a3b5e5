/** A site on this machine whose pages use the client. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { createAuth, type OutgoingMail } from "@x/auth";
import { accountPage } from "@x/auth/account";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { limits } from "@x/auth/limits";
import { nodeListener } from "@x/auth/node";
import { passkey } from "@x/auth/providers/passkey";
import { password as passwords } from "@x/auth/providers/password";
import { run } from "../../scripts/npm/run.ts";
import { freePort } from "../_support/free_port.ts";
import { startIdentityProvider } from "../_support/identity_provider.ts";
import { password, testConfig } from "../_support/service.ts";
import { App } from "./_react_app.ts";

export interface ClientSite {
  readonly origin: string;
  readonly issuer: string;
  /** Requests for the session so far. */
  asked(): number;
  /** Requests that read the account so far. */
  askedForAccount(): number;
  /** Whether the service is away: it answers 503. */
  isAway: boolean;
  /** The link of the last email to an address. */
  linkTo(address: string): string;
  /** Removes the passkeys of somebody from storage. */
  forgetPasskeys(email: string): Promise<void>;
  close(): Promise<void>;
}

/** The scripts by path. */
async function bundle(): Promise<ReadonlyMap<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), "client-"));
  const pages = ["tests/e2e/_client_page.ts", "tests/e2e/_framework_page.ts", "tests/e2e/_account_page.ts"];
  for (const page of pages) {
    const options = ["--quiet", "--frozen", "--platform=browser", "--code-splitting", `--outdir=${folder}`];
    await run(Deno.execPath(), ["bundle", ...options, page]);
  }
  const names = await readdir(folder);
  const files = await Promise.all(
    names.map(async (name) => [`/${name}`, await readFile(join(folder, name), "utf8")] as const),
  );
  await rm(folder, { recursive: true });
  return new Map(files);
}

export async function startClientSite(): Promise<ClientSite> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const scripts = await bundle();
  const identityProvider = await startIdentityProvider({ sites: [origin] });
  const adapter = memoryAdapter();
  const mails: OutgoingMail[] = [];
  const config = testConfig({
    adapter,
    session: { strategy: "jwt" },
    providers: [passkey(), password(), passwords(), identityProvider.provider()],
    mail: (mail) => void mails.push(mail),
    pages: { signUp: "/" },
    features: [limits(), accountPage()],
    callbacks: {
      jwt: ({ token, trigger, session }) => trigger === "update" ? { ...token, ...(session as object) } : token,
      session: ({ session, token }) => ({ ...session, theme: token?.theme }),
    },
  });
  const { handler, auth } = createAuth(config);
  let asked = 0;
  let askedForAccount = 0;
  const site = { isAway: false };
  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/auth/")) {
      if (pathname === "/auth/session") asked++;
      if (pathname === "/auth/account" && request.method === "GET") askedForAccount++;
      return site.isAway ? Response.json({ message: "Try again later" }, { status: 503 }) : await handler(request);
    }
    const script = scripts.get(pathname);
    if (script) return new Response(script, { headers: { "content-type": "text/javascript" } });
    if (pathname === "/frameworks") return page(await frameworks(request));
    if (pathname === "/account") return page(ACCOUNT);
    if (pathname === "/plain") return page("<h1>No script</h1>");
    return pathname === "/" ? page(PAGE) : new Response(null, { status: 404 });
  }
  async function frameworks(request: Request): Promise<string> {
    const session = await auth(request);
    const seed = JSON.stringify({ session }).replaceAll("<", "\\u003c");
    return `<div id=react>${renderToString(createElement(App, { session }))}</div><p id=vue></p><p id=solid></p>` +
      `<p id=svelte></p><script type="application/json" id=seed>${seed}</script>` +
      `<script type=module src="/_framework_page.js"></script>`;
  }
  const server = createServer(nodeListener(answer));
  await new Promise<void>((resolve) => server.listen(port, "localhost", resolve));
  return Object.assign(site, {
    origin,
    issuer: identityProvider.issuer,
    asked: () => asked,
    askedForAccount: () => askedForAccount,
    linkTo(address: string) {
      const mail = mails.findLast(({ to }) => to === address);
      return /https?:\S+/.exec(mail?.text ?? "")?.[0] ?? "";
    },
    async forgetPasskeys(email: string) {
      const user = await adapter.getUserByEmail(email);
      const stored = await adapter.listAuthenticatorsByUserId(user?.id ?? "");
      for (const { credentialID } of stored) await adapter.deleteAuthenticator(credentialID);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await identityProvider.close();
    },
  });
}

const PAGE = `<h1>Site</h1><p id=state></p><button id=popup>Popup</button><p id=result></p>
<input id=email autocomplete="username webauthn"><script type=module src="/_client_page.js"></script>`;

const ACCOUNT = `<h1>Account</h1><div id=root></div><p id=vue></p><p id=solid></p><p id=svelte></p>
<script type=module src="/_account_page.js"></script>`;

function page(body: string): Response {
  const html = `<!doctype html><html lang=en><link rel=icon href="data:,"><title>Site</title><body>${body}`;
  return new Response(html, { headers: { "content-type": "text/html" } });
}
