import process from "node:process";
import express from "express";
import { ExpressAuth } from "@auth/express";
import { authConfig } from "./auth.ts";
import { authenticatedUser, currentSession } from "./session.ts";

const app = express();

// So that the scheme of a proxy is believed.
app.set("trust proxy", true);

app.use(currentSession);
app.use("/auth/*", ExpressAuth(authConfig));

app.get("/", (_req, res) => {
  const { session } = res.locals;
  res.type("text").send(session ? `Hello ${session.user?.name}` : "Hello stranger");
});

app.get("/api/session", (_req, res) => {
  res.json({ session: res.locals.session });
});

app.get("/members", authenticatedUser, (_req, res) => {
  res.type("text").send(`For ${res.locals.session.user?.email}, ${res.locals.session.role}`);
});

const port = Number(process.env.PORT ?? 3000);
app.listen(port, () => process.stdout.write(`Open http://localhost:${port}\n`));
