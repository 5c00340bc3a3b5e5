import process from "node:process";
import { Application, Router } from "@oakserver/oak";
import { AuthError } from "@x/auth/errors";
import type { OakState } from "@x/auth/oak";
import { auth } from "./auth.ts";
import { aboutPage, homePage, membersPage } from "./pages.ts";

type State = OakState<typeof auth.$infer.Session>;

const app = new Application<State>();
const router = new Router<State>();

router.get("/", ({ response, state }) => {
  response.body = homePage(state.session);
});
router.get("/members", ({ response, state }) => {
  response.body = membersPage(state.session);
});
router.get("/about", ({ response }) => {
  response.headers.set("cache-control", "public, max-age=60");
  response.body = aboutPage();
});
// Oak sends nothing for `null`.
router.get("/api/me", ({ response, state }) => {
  response.type = "json";
  response.body = JSON.stringify(state.session?.user ?? null);
});
router.get("/api/members", ({ response, state }) => {
  response.body = { name: state.session?.user?.name };
});

router.post("/login/:provider", async (ctx) => {
  await auth.signIn(ctx, ctx.params.provider, await ctx.request.body.form());
});
router.post("/logout", async (ctx) => {
  await auth.signOut(ctx);
});
router.post("/name", async (ctx) => {
  const form = await ctx.request.body.form();
  await auth.update(ctx, { user: { name: form.get("name") } });
  ctx.response.status = 303;
  ctx.response.headers.set("location", "./");
});

app.use(async ({ response }, next) => {
  try {
    await next();
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    response.status = error.type === "CredentialsSignin" ? 401 : 403;
    response.body = `Cannot do it: ${error.type}`;
  }
});
app.use(auth.middleware);
app.use(router.routes());
app.use(router.allowedMethods());

// Says all that is wrong before the first visitor comes, and goes on: a provider may be down for a moment.
await auth.check().catch(({ message }) => process.stderr.write(`${message}\n`));

app.addEventListener("listen", ({ port }) => {
  process.stdout.write(`Open http://localhost:${port}\n`);
});
await app.listen({ port: Number(process.env.PORT ?? 3000) });
