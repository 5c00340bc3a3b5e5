import process from "node:process";
import express from "express";
import { auth } from "./auth.ts";

const app = express();

app.use(auth.middleware);
app.use("/auth", auth);
app.get("/.well-known/webauthn", auth);
app.get("/", (_request, response) => void response.send("Home"));
app.get("/admin", auth.require({ level: 2 }), (_request, response) => {
  response.send(`Administration: ${response.locals.session.user.name}`);
});

const port = Number(process.env.PORT ?? 3000);
app.listen(port, () => process.stdout.write(`Open http://localhost:${port}\n`));
