import process from "node:process";
import { node } from "@elysiajs/node";
import { AuthError } from "@x/auth/errors";
import { Elysia, t } from "elysia";
import { auth } from "./auth.ts";
import { aboutPage, homePage, membersPage } from "./pages.ts";

const fields = t.Record(t.String(), t.String());

// A site needs the adapter on Node only.
const app = new Elysia({ systemRouter: false, ...(!process.versions.bun && { adapter: node() }) })
  .use(auth.plugin)
  .derive(auth.derive)
  .onError(({ error, status }) => {
    if (!(error instanceof AuthError)) return;
    return status(error.type === "CredentialsSignin" ? 401 : 403, `Cannot do it: ${error.type}`);
  })
  .get("/", ({ session }) => html(homePage(session)))
  .get("/members", ({ session }) => html(membersPage(session)))
  .get("/about", () => html(aboutPage(), { "cache-control": "public, max-age=60" }))
  .get("/api/me", ({ session }) => Response.json(session?.user ?? null))
  .get("/api/members", ({ session }) => ({ name: session?.user?.name }))
  .post("/login/:provider", ({ request, params, body }) => auth.signIn({ request }, params.provider, body ?? {}), {
    body: t.Optional(fields),
  })
  .post("/logout", ({ request }) => auth.signOut({ request }))
  .post("/name", async ({ request, body, set }) => {
    await auth.update({ request }, { user: { name: body.name } });
    // On Node, `redirect()` takes no relative URL.
    set.status = 303;
    set.headers.location = "./";
  }, { body: t.Object({ name: t.String() }) });

// Says all that is wrong before the first visitor comes, and goes on: a provider may be down for a moment.
await auth.check().catch(({ message }) => process.stderr.write(`${message}\n`));

app.listen(Number(process.env.PORT ?? 3000), ({ url }) => void process.stdout.write(`Open ${url}\n`));

function html(text: string, headers: Record<string, string> = {}): Response {
  return new Response(text, { headers: { "content-type": "text/html; charset=utf-8", ...headers } });
}
