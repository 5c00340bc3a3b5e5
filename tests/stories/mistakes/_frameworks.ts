/** Frameworks, as far as their bindings see them. */
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { AuthConfig } from "@x/auth";
import { NuxtAuth } from "@x/auth/nuxt";
import { ReactRouterAuth } from "@x/auth/react-router";
import { SolidAuth } from "@x/auth/solid-start";
import type { Handler } from "./_table.ts";

/** Nuxt: its pages answer with the session. */
export function nuxt(config: AuthConfig, remoteAddress = ""): Handler {
  const { middleware } = NuxtAuth(config);
  return async (request) => {
    const { pathname } = new URL(request.url);
    const rawHeaders = ["host", "localhost:3000", ...[...request.headers].flat()];
    const req = Object.assign(new IncomingMessage(new Socket()), { url: pathname, method: "GET", rawHeaders });
    Object.defineProperty(req.socket, "remoteAddress", { value: remoteAddress });
    Object.assign(req.headers, { host: "localhost:3000" });
    const context: Record<string, unknown> = {};
    const answer = await middleware({ node: { req, res: new ServerResponse(req) }, path: pathname, context });
    return answer ?? Response.json(context.session ?? null);
  };
}

/** React Router: its pages answer with the session. */
export function reactRouter(config: AuthConfig): Handler {
  const { middleware, session } = ReactRouterAuth(config);
  return async (request) => {
    const context = {};
    return await middleware({ request, context }, () => Promise.resolve(Response.json(session(context))));
  };
}

/** SolidStart: its pages answer with the session. */
export function solid(config: AuthConfig): Handler {
  const { middleware } = SolidAuth(config);
  return async (request) => {
    const locals: Record<string, unknown> = {};
    const answer = await middleware.onRequest({ request, response: { headers: new Headers() }, locals });
    return answer ?? Response.json(locals.session ?? null);
  };
}
