import { memoryAdapter } from "@x/auth/adapters/memory";
import { HonoAuth } from "@x/auth/hono";
import { google } from "@x/auth/providers/google";
import { resend } from "@x/auth/providers/resend";
import { Hono } from "hono";

/** @param {import("@x/auth/testing").TestConfig} [test] What a test puts in the place of the real world. */
export function createApp(test) {
  const auth = HonoAuth({
    adapter: memoryAdapter(),
    providers: [google(), resend({ from: "login@example.com" })],
    protect: ["/members/*"],
    ...test,
  });
  const app = new Hono();
  app.use(auth.middleware);
  app.get("/", (c) => c.text("Welcome"));
  app.get("/members/hello", (c) => c.text(`Hello ${c.get("session").user.name}`));
  return app;
}
