/** A site on Node: sign in with a link, which is printed below. Users and sessions are stored in a SQLite file. */
import { createServer } from "node:http";
import process from "node:process";
import { createAuth } from "@x/auth";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { nodeListener } from "@x/auth/node";
import { consoleEmail } from "@x/auth/providers/console-email";

const { handler, auth, check } = createAuth({
  // In production, set AUTH_SECRET to 32 random characters or more, and keep it.
  secret: process.env.AUTH_SECRET ?? crypto.randomUUID(),
  adapter: sqliteAdapter(process.env.DATABASE ?? "auth.db"),
  providers: [consoleEmail()],
});

// Says all that is wrong before the first visitor comes.
await check();

const site = auth((request, session) => {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith("/auth/")) return handler(request);
  const [who, path, link] = session
    ? [session.user?.email, "/auth/signout", "Sign out"]
    : ["stranger", "/auth/signin", "Sign in"];
  const html = `<!DOCTYPE html><p>Hello ${who}</p><p><a href="${path}">${link}</a></p>`;
  return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
});

const port = Number(process.env.PORT ?? 3000);
createServer(nodeListener(site)).listen(port, () => process.stdout.write(`Open http://localhost:${port}\n`));
