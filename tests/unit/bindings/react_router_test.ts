import assert from "node:assert/strict";
import { test } from "node:test";
import { createRequestHandler, type ServerBuild } from "react-router";
import type { AuthConfig } from "@x/auth";
import { getSession, type ReactRouterArgs, ReactRouterAuth } from "../../../bindings/react_router.ts";
import { Browser } from "../../_support/browser.ts";
import { ADA, testConfig } from "../../_support/service.ts";
import { handle, sessionCookies, tellStories } from "./_stories.ts";

/** The server of React Router with an application of one page and resource routes. */
function open(config: AuthConfig): (request: Request) => Promise<Response> {
  const auth = ReactRouterAuth(config);
  const answer = (args: ReactRouterArgs) =>
    handle(args.request, {
      session: () => auth.session(args.context),
      read: () => getSession(args.request, config),
      require: (options) => auth.require(args, options),
      signIn: (...rest) => auth.signIn(args, ...rest),
      signOut: (options) => auth.signOut(args, options),
      update: (patch) => auth.update(args, patch),
    });
  const page = () => null;
  const route = (id: string, path: string, module: object) => ({
    id,
    path,
    ...(id !== "root" && { parentId: "root" }),
    module,
  });
  const build = {
    entry: {
      module: {
        default: (_request: Request, status: number, headers: Headers, { staticHandlerContext }: {
          staticHandlerContext: { loaderData: unknown };
        }) => new Response(JSON.stringify(staticHandlerContext.loaderData), { status, headers }),
      },
    },
    routes: {
      root: route("root", "", { default: page, middleware: [auth.middleware] }),
      auth: route("auth", "auth/*", { loader: auth.loader, action: auth.action }),
      page: route("page", "members/page", {
        default: page,
        loader: ({ context }: ReactRouterArgs) => auth.session(context)?.user?.name,
        action: (args: ReactRouterArgs) => auth.signOut(args, { redirectTo: "/bye" }),
      }),
      home: { ...route("home", "", { loader: answer }), index: true },
      rest: route("rest", "*", { loader: answer, action: answer }),
    },
    assets: { entry: { imports: [], module: "" }, routes: {}, url: "", version: "" },
    publicPath: "/",
    assetsBuildDirectory: "",
    future: {},
    ssr: true,
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: "initial", manifestPath: "/__manifest" },
    basename: "/",
  };
  return createRequestHandler(build as unknown as ServerBuild, "test");
}

tellStories("React Router", open);

const RELOAD = "x-remix-reload-document";

test("React Router: the guard sees the page, not its data", async () => {
  const asked: string[] = [];
  const authorized = ({ request }: { request: Request }) => {
    asked.push(new URL(request.url).pathname + new URL(request.url).search);
    return true;
  };
  const config = testConfig({ session: { updateAge: 0 }, protect: ["/members/*"], callbacks: { authorized } });
  const visitor = new Browser(open(config), { application: true });
  const script = { headers: { "sec-fetch-mode": "cors" } };
  const denied = await visitor.get("/members/page.data?a=1&_routes=page", script);
  assert.deepEqual([denied.status, denied.headers.get(RELOAD)], [202, "true"]);
  assert.match(await denied.text(), /signin\?callbackUrl=http%3A%2F%2Flocalhost%3A3000%2Fmembers%2Fpage%3Fa%3D1"/);
  await visitor.signIn("credentials", ADA);
  const allowed = await visitor.get("/members/page.data?a=1&_routes=page", script);
  assert.match(await allowed.text(), /Ada Lovelace/);
  assert.equal(sessionCookies(allowed).length, 1);
  assert.deepEqual(asked.filter((path) => path.startsWith("/members")), ["/members/page?a=1"]);
});

test("React Router: pages of the service are asked for as documents", async () => {
  const answer = await open(testConfig())(new Request("http://localhost:3000/auth/signin.data"));
  assert.deepEqual([answer.status, answer.headers.get(RELOAD)], [202, "true"]);
  assert.match(await answer.text(), /"\/auth\/signin"/);
});

test("React Router: a sign-out by an action of a page reloads the document", async () => {
  const visitor = await new Browser(open(testConfig()), { application: true }).signIn("credentials", ADA);
  const left = await visitor.post("/members/page.data", {});
  assert.equal(left.headers.get(RELOAD), "true");
  assert.match(sessionCookies(left).join(), /Max-Age=0/);
  assert.equal((await visitor.open("/")).html, "stranger");
});

test("React Router: without the middleware there is no telling who is there", () => {
  assert.throws(() => ReactRouterAuth(testConfig()).session({}), /add `auth.middleware`/);
});

test("React Router: a page whose locale may be left out is guarded with it, too", async () => {
  const auth = ReactRouterAuth(testConfig({ protect: ["/members/*"] }));
  const statusOf = async (path: string, pattern: string, params = {}): Promise<number> => {
    const request = new Request(`http://localhost:3000${path}`);
    return (await auth.middleware({ request, pattern, params, context: {} }, () => Promise.resolve(new Response())))
      .status;
  };
  assert.equal(await statusOf("/de/members", "/:lang?/members", { lang: "de" }), 302);
  assert.equal(await statusOf("/de/members/1.data", "/:lang?/members/:id", { lang: "de", id: "1" }), 302);
  assert.equal(await statusOf("/de/members/a/b", "/de?/:section/*", { section: "members", "*": "a/b" }), 302);
  assert.equal(await statusOf("/de/about", "/:lang?/about", { lang: "de" }), 200);
  assert.equal(await statusOf("/de/members", "/:section/members", { section: "de" }), 200);
});
