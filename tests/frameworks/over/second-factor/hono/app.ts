import type { HonoVariables } from "@x/auth/hono";
import { Hono } from "hono";
import { auth } from "./auth.ts";

export const app = new Hono<{ Variables: HonoVariables }>();

app.use(auth.middleware);
app.get("/", (c) => c.text("Home"));
app.get("/admin", async (c) => {
  const session = await auth.require(c, { level: 2 });
  return c.text(`Administration: ${session.user?.name}`);
});
