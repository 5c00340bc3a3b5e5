import process from "node:process";
import { AuthError } from "@x/auth/errors";
import type { HonoVariables } from "@x/auth/hono";
import { Hono } from "hono";
import { auth } from "./auth.ts";
import { aboutPage, homePage, membersPage } from "./pages.ts";

export const app = new Hono<{ Variables: HonoVariables<typeof auth.$infer.Session> }>();

app.use(auth.middleware);

app.get("/", (c) => c.html(homePage(c.get("session"))));
app.get("/members", (c) => c.html(membersPage(c.get("session"))));
app.get("/about", (c) => c.html(aboutPage(), 200, { "cache-control": "public, max-age=60" }));
app.get("/api/me", (c) => c.json(c.get("session")?.user ?? null));
app.get("/api/members", (c) => c.json({ name: c.get("session")?.user?.name }));

app.post("/login/:provider", async (c) => await auth.signIn(c, c.req.param("provider"), await c.req.formData()));
app.post("/logout", (c) => auth.signOut(c));
app.post("/name", async (c) => {
  const { name } = await c.req.parseBody();
  await auth.update(c, { user: { name: String(name) } });
  return c.redirect("./", 303);
});

app.onError((error, c) => {
  if (!(error instanceof AuthError)) return c.text("Internal error", 500);
  return c.text(`Cannot do it: ${error.type}`, error.type === "CredentialsSignin" ? 401 : 403);
});

// Says all that is wrong before the first visitor comes, and goes on: a provider may be down for a moment.
await auth.check().catch(({ message }) => process.stderr.write(`${message}\n`));
