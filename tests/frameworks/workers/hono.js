/** A worker with the binding for Hono, and pages for members. */
import { HonoAuth } from "@x/auth/hono";
import { github } from "@x/auth/providers/github";
import { Hono } from "hono";

const auth = HonoAuth({ providers: [github()], protect: ["/members/*"] });

const app = new Hono();
app.use(auth.middleware);
app.get(
  "/",
  (c) => c.text(`Hello ${c.get("session")?.user?.name ?? "stranger"}`),
);
app.all("/members", (c) => c.text("For members only"));
app.all("/members/*", (c) => c.text("For members only"));

export default app;
