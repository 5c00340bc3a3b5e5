import type { AddressInfo } from "node:net";
import { createServer } from "node:http";
import { after } from "node:test";
import {
  createApp,
  eventHandler,
  type H3Event,
  setResponseHeaders,
  setResponseStatus,
  toNodeListener,
  toWebRequest,
} from "h3";
import { getSession, NuxtAuth, type NuxtAuthContext } from "../../../bindings/nuxt.ts";
import { handle, tellStories } from "./_stories.ts";

const servers: { close(): void }[] = [];

after(() => servers.forEach((server) => server.close()));

/** h3, which Nuxt is made of, on a server of Node: a middleware before a handler. */
tellStories("Nuxt", (config) => {
  const auth = NuxtAuth(config);
  const left = async (act: Promise<string>): Promise<Response> => {
    await act;
    return new Response(null, { status: 302 });
  };
  async function answer(event: H3Event): Promise<unknown> {
    const response = await handle(toWebRequest(event), {
      session: () => (event.context as unknown as NuxtAuthContext).session,
      read: () => getSession(event, config),
      signIn: (provider, form) => left(auth.signIn(event, provider, form)),
      signOut: (options) => left(auth.signOut(event, options)),
      update: (patch) => auth.update(event, patch),
    });
    if (event.handled) return undefined;
    setResponseStatus(event, response.status);
    setResponseHeaders(event, Object.fromEntries(response.headers));
    return await response.text();
  }
  const app = createApp().use(eventHandler((event) => auth.middleware(event))).use(eventHandler(answer));
  const server = createServer(toNodeListener(app));
  servers.push(server);
  const listening = new Promise<void>((resolve) => server.listen(0, "localhost", () => resolve()));
  return async (request) => {
    await listening;
    const url = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.set("x-forwarded-host", url.host);
    url.port = String((server.address() as AddressInfo).port);
    const body = request.body ? await request.text() : null;
    return await fetch(url, { method: request.method, headers, body, redirect: "manual" });
  };
});
