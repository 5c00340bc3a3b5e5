/** Servers with a guarded wildcard, each as its users build it. `SERVER` chooses one. */
import process from "node:process";

const PORT = Number(process.env.PORT);
const CLOSED = "For members only";
const config = {
  secret: "a secret of the tests that is longer than 32 characters",
  trustHost: true,
  providers: [],
  protect: ["/members/*"],
};

/** Says that the server listens. */
const listening = () => process.stdout.write(`Listening on :${PORT}\n`);

const withExpress = (name) => async () => {
  const { default: express } = await import(name);
  const { ExpressAuth } = await import("@x/auth/express");
  const auth = ExpressAuth(config);
  const app = express();
  app.use("/auth", auth);
  const inner = express.Router();
  inner.use(auth.middleware);
  inner.use("/members", (_request, response) => response.send(CLOSED));
  app.use("/app", inner);
  app.use(auth.middleware);
  app.use("/members", (_request, response) => response.send(CLOSED));
  app.use((_request, response) => response.send("open"));
  app.use((error, _request, response, _next) => response.status(error.status ?? 500).send("failed"));
  app.listen(PORT, listening);
};

const withFastify = (options) => async () => {
  const { default: fastify } = await import("fastify");
  const { FastifyAuth } = await import("@x/auth/fastify");
  const app = fastify(options);
  await app.register(FastifyAuth(config));
  app.get("/members/*", () => CLOSED);
  app.get("/members", () => CLOSED);
  app.get("/*", () => "open");
  await app.listen({ port: PORT });
  listening();
};

const withNest = (platform) => async () => {
  await import("reflect-metadata");
  const { Controller, Get, Module } = await import("@nestjs/common");
  const { NestFactory } = await import("@nestjs/core");
  const { NestAuth } = await import("@x/auth/nest");
  class Pages {
    members() {
      return CLOSED;
    }
    open() {
      return "open";
    }
  }
  const rest = platform === "fastify" ? "*" : "*rest";
  const routes = { members: ["members", `members/${rest}`], open: [rest] };
  for (const [name, paths] of Object.entries(routes)) {
    Get(paths)(Pages.prototype, name, Object.getOwnPropertyDescriptor(Pages.prototype, name));
  }
  Controller()(Pages);
  class Root {}
  Module({ controllers: [Pages] })(Root);
  const adapter = platform === "fastify"
    ? [new (await import("@nestjs/platform-fastify")).FastifyAdapter()]
    : [new (await import("@nestjs/platform-express")).ExpressAdapter()];
  const app = await NestFactory.create(Root, ...adapter, { logger: false });
  app.use(NestAuth(config).middleware);
  await app.listen(PORT);
  listening();
};

async function honoApp() {
  const { Hono } = await import("hono");
  const { HonoAuth } = await import("@x/auth/hono");
  const app = new Hono();
  app.use(HonoAuth(config).middleware);
  app.all("/members/*", (context) => context.text(CLOSED));
  app.all("*", (context) => context.text("open"));
  return app;
}

async function withElysia(adapter) {
  const { Elysia } = await import("elysia");
  const { ElysiaAuth } = await import("@x/auth/elysia");
  const app = new Elysia({ systemRouter: false, ...adapter });
  app.use(ElysiaAuth(config).plugin).get("/members/*", () => CLOSED).get("/members/:id", () => CLOSED).get(
    "/*",
    () => "open",
  );
  app.listen(PORT, listening);
}

/** A handler that `auth` wraps, with a router that compares the text of the URL. */
async function guarded() {
  const { createAuth } = await import("@x/auth");
  const { auth, handler } = createAuth(config);
  return auth((request) => {
    const path = request.url.replace(/^https?:\/\/[^/]*/, "");
    if (/^\/auth\//.test(path)) return handler(request);
    return new Response(/^\/+members(?:[/?#;]|$)/i.test(decodeURI(path)) ? CLOSED : "open");
  });
}

/** Guards the middlewares of a server on `node:http`; `null` if a request may pass. */
async function nodeGuard() {
  const { createAuth } = await import("@x/auth");
  const { webRequest } = await import("@x/auth/node");
  const passed = new Response();
  const guard = createAuth(config).auth(() => passed);
  return async (incoming) => {
    const answer = await guard(webRequest(incoming));
    return answer === passed ? null : answer.status;
  };
}

const SERVERS = {
  "express-5": withExpress("express"),
  "express-4": withExpress("express-4"),
  "fastify": withFastify({}),
  "fastify-semicolons": withFastify({ routerOptions: { useSemicolonDelimiter: true, ignoreDuplicateSlashes: true } }),
  "nest-express": withNest("express"),
  "nest-fastify": withNest("fastify"),
  async "hono-node"() {
    const { serve } = await import("@hono/node-server");
    serve({ fetch: (await honoApp()).fetch, port: PORT }, listening);
  },
  async "hono-bun"() {
    globalThis.Bun.serve({ fetch: (await honoApp()).fetch, port: PORT });
    listening();
  },
  async "hono-deno"() {
    globalThis.Deno.serve({ port: PORT, onListen: listening }, (await honoApp()).fetch);
  },
  "elysia-bun": () => withElysia({}),
  "elysia-bun-routes": () => withElysia({ systemRouter: true }),
  async "elysia-node"() {
    const { node } = await import("@elysiajs/node");
    await withElysia({ adapter: node() });
  },
  async "oak"() {
    const { Application, Router } = await import("@oakserver/oak");
    const { OakAuth } = await import("@x/auth/oak");
    const router = new Router();
    router.all("/members/(.*)", ({ response }) => void (response.body = CLOSED));
    router.all("/members", ({ response }) => void (response.body = CLOSED));
    router.all("/(.*)", ({ response }) => void (response.body = "open"));
    const app = new Application();
    app.use(OakAuth(config).middleware);
    app.use(router.routes());
    app.addEventListener("listen", listening);
    await app.listen({ port: PORT });
  },
  async "fresh"() {
    const { FreshAuth } = await import("@x/auth/fresh");
    const auth = FreshAuth(config);
    const members = new URLPattern({ pathname: "/members/*" });
    // The part of Fresh that counts here: it is not on npm.
    globalThis.Deno.serve({ port: PORT, onListen: listening }, (req) => {
      const page = () => new Response(members.test(req.url) ? CLOSED : "open");
      return auth.middleware({ req, state: {}, next: () => Promise.resolve(page()) });
    });
  },
  async "koa"() {
    const { default: Koa } = await import("koa");
    const { default: Router } = await import("@koa/router");
    const guard = await nodeGuard();
    const app = new Koa();
    app.use(async (context, next) => {
      const denied = await guard(context.req).catch(() => 400);
      if (denied !== null) context.status = denied;
      else await next();
    });
    const router = new Router();
    router.all(/^\/members(?:\/.*)?$/i, (context) => void (context.body = CLOSED));
    router.all(/.*/, (context) => void (context.body = "open"));
    app.use(router.routes());
    app.silent = true;
    app.listen(PORT, listening);
  },
  async "h3"() {
    const { createApp, createRouter, defineEventHandler, toNodeListener } = await import("h3");
    const { createServer } = await import("node:http");
    const { NuxtAuth } = await import("@x/auth/nuxt");
    const app = createApp();
    app.use(defineEventHandler(NuxtAuth(config).middleware));
    const router = createRouter();
    router.use("/members/**", defineEventHandler(() => CLOSED));
    router.use("/**", defineEventHandler(() => "open"));
    app.use(router);
    createServer(toNodeListener(app)).listen(PORT, listening);
  },
  async "node"() {
    const { createServer } = await import("node:http");
    const guard = await nodeGuard();
    // A router that compares what came, as small ones do.
    createServer(async (incoming, outgoing) => {
      const denied = await guard(incoming).catch(() => 400);
      const isClosed = /^(?:https?:\/\/[^/]*)?\/+members(?:[/?#;]|$)/i.test(incoming.url);
      outgoing.writeHead(denied ?? 200).end(denied === null ? isClosed ? CLOSED : "open" : "");
    }).listen(PORT, listening);
  },
  async "node-listener"() {
    const { createServer } = await import("node:http");
    const { nodeListener } = await import("@x/auth/node");
    createServer(nodeListener(await guarded())).listen(PORT, listening);
  },
  async "deno"() {
    globalThis.Deno.serve({ port: PORT, onListen: listening }, await guarded());
  },
  async "bun"() {
    globalThis.Bun.serve({ port: PORT, fetch: await guarded() });
    listening();
  },
  async "bun-routes"() {
    const { createAuth } = await import("@x/auth");
    const { auth } = createAuth(config);
    globalThis.Bun.serve({
      port: PORT,
      routes: { "/members/*": auth(() => new Response(CLOSED)), "/*": auth(() => new Response("open")) },
    });
    listening();
  },
};

await SERVERS[process.env.SERVER]();
