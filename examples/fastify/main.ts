import process from "node:process";
import formbody from "@fastify/formbody";
import { AuthError } from "@x/auth/errors";
import fastify, { type FastifyReply } from "fastify";
import { auth } from "./auth.ts";
import { aboutPage, homePage, membersPage } from "./pages.ts";

declare module "fastify" {
  interface FastifyRequest {
    session: typeof auth.$infer.Session | null;
  }
}

const app = fastify();

await app.register(auth);
await app.register(formbody);

const html = (reply: FastifyReply, text: string) => reply.type("text/html; charset=utf-8").send(text);

app.get("/", (request, reply) => html(reply, homePage(request.session)));
app.get("/members", (request, reply) => html(reply, membersPage(request.session)));
app.get("/about", (_request, reply) => html(reply.header("cache-control", "public, max-age=60"), aboutPage()));
app.get("/api/me", (request, reply) => reply.send(request.session?.user ?? "null"));
app.get("/api/members", (request, reply) => reply.send({ name: request.session?.user?.name }));

interface Form {
  Params: { provider: string };
  Body: Record<string, string>;
}

app.post<Form>("/login/:provider", async (request, reply) => {
  await auth.signIn(request, reply, request.params.provider, request.body);
  return reply;
});
app.post("/logout", async (request, reply) => {
  await auth.signOut(request, reply);
  return reply;
});
app.post<Form>("/name", async (request, reply) => {
  await auth.update(request, { user: { name: request.body.name } });
  return reply.redirect("./", 303);
});

app.setErrorHandler((error, _request, reply) => {
  if (!(error instanceof AuthError)) return reply.send(error);
  return reply.code(error.type === "CredentialsSignin" ? 401 : 403).send(`Cannot do it: ${error.type}`);
});

// Says all that is wrong before the first visitor comes, and goes on: a provider may be down for a moment.
await auth.check().catch(({ message }) => process.stderr.write(`${message}\n`));

const port = Number(process.env.PORT ?? 3000);
await app.listen({ port });
process.stdout.write(`Open http://localhost:${port}\n`);
