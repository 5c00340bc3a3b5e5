import process from "node:process";
import { AuthError } from "@x/auth/errors";
import express, { type ErrorRequestHandler } from "express";
import { auth } from "./auth.ts";
import { aboutPage, homePage, membersPage } from "./pages.ts";

const app = express();

app.use(auth.middleware);
app.use(process.env.BASE_PATH ?? "/auth", auth);
app.use(express.urlencoded({ extended: false }));

app.get("/", (_request, response) => void response.send(homePage(response.locals.session)));
app.get("/members", (_request, response) => void response.send(membersPage(response.locals.session)));
app.get("/about", (_request, response) => {
  response.set("cache-control", "public, max-age=60").send(aboutPage());
});
app.get("/api/me", (_request, response) => void response.json(response.locals.session?.user ?? null));
app.get("/api/members", (_request, response) => void response.json({ name: response.locals.session.user.name }));

// Express 5 hands an error of an `async` handler on by itself, Express 4 does not.
app.post("/login/:provider", (request, response, next) => {
  auth.signIn(request, response, request.params.provider, request.body).catch(next);
});
app.post("/logout", (request, response, next) => {
  auth.signOut(request, response).catch(next);
});
app.post("/name", (request, response, next) => {
  const changed = auth.update(request, response, { user: { name: request.body.name } });
  changed.then(() => response.redirect(303, "./")).catch(next);
});

const showError: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof AuthError)) return next(error);
  response.status(error.type === "CredentialsSignin" ? 401 : 403).send(`Cannot do it: ${error.type}`);
};
app.use(showError);

// Says all that is wrong before the first visitor comes, and goes on: a provider may be down for a moment.
await auth.check().catch(({ message }) => process.stderr.write(`${message}\n`));

const port = Number(process.env.PORT ?? 3000);
app.listen(port, () => process.stdout.write(`Open http://localhost:${port}\n`));
