/**
 * A service with every way of signing in, on the server of the runtime that runs it, and beside it a page that does
 * nothing. Prints its port.
 *
 * Its argument is the address of a server on this machine that plays the providers.
 *
 * @module
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { createAuth, skipCSRFCheck } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { nodeListener } from "@x/auth/node";
import { passkey } from "@x/auth/providers/passkey";
import { password, testConfig } from "../_support/service.ts";

/** How many providers there are whose metadata must be asked for: what Node's `fetch` keeps of each is not ours. */
export const PROVIDERS = 1;

type Handler = (request: Request) => Promise<Response>;

interface Host {
  readonly Deno?: { serve(options: object, handler: Handler): { readonly addr: { readonly port: number } } };
  readonly Bun?: { serve(options: object): { readonly port: number } };
}

function serviceFor(providers: string): Handler {
  const endpoints = { authorization: `${providers}/authorize`, token: `${providers}/token` };
  const oauth = { type: "oauth", name: "IdP", clientId: "1", clientSecret: "1", userinfo: `${providers}/me` } as const;
  const { handler } = createAuth(testConfig({
    skipCSRFCheck,
    adapter: memoryAdapter(),
    timeouts: { total: 5 },
    pages: { verifyRequest: "/mail" },
    providers: [
      password(),
      passkey(),
      { id: "email", name: "Email", type: "email", sendVerificationRequest: () => {} },
      { ...oauth, ...endpoints, id: "idp" },
      {
        ...oauth,
        ...endpoints,
        id: "posting",
        authorization: { url: endpoints.authorization, params: { response_mode: "form_post" } },
      },
      ...Array.from({ length: PROVIDERS }, (_, at) => {
        return { id: `oidc${at}`, name: "IdP", type: "oidc", issuer: `${providers}/${at}`, clientId: "1" } as const;
      }),
    ],
  }));
  return async (request) => {
    if (!request.url.includes("/static")) return await handler(request);
    return new Response(await request.text());
  };
}

async function serve(handler: Handler): Promise<number> {
  const { Deno, Bun } = globalThis as unknown as Host;
  const where = { port: 0, hostname: "127.0.0.1" };
  if (Deno) return Deno.serve({ ...where, onListen() {} }, handler).addr.port;
  if (Bun) return Bun.serve({ ...where, fetch: handler }).port;
  const server = createServer({ maxHeaderSize: 128 * 1024 }, nodeListener(handler));
  await new Promise<void>((resolve) => server.listen(0, where.hostname, resolve));
  return (server.address() as AddressInfo).port;
}

if (process.argv.length > 2) {
  const port = await serve(serviceFor(process.argv.at(-1) ?? ""));
  process.stdout.write(`${port}\n`);
}
