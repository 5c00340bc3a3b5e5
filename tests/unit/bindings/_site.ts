/** An application as a framework runs it: a router that decodes paths and ignores their case, on a host of a binding. */
import type { Adapter, AuthConfig } from "@x/auth";
import { memoryAdapter } from "../../../adapters/memory.ts";
import { BY_URL, createHost, type Host, type HostOptions, withReading } from "../../../bindings/host/host.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { Browser } from "../../_support/browser.ts";
import { type Log, recordLog, testConfig } from "../../_support/service.ts";

export interface Application {
  readonly host: Host;
  readonly site: (request: Request) => Promise<Response>;
  readonly browser: () => Browser;
  /** The paths that the routes of the application were asked for. */
  readonly served: string[];
  readonly log: Log;
}

export interface ApplicationOptions extends Partial<HostOptions> {
  /** The environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** What a route answers, besides who is there. */
  readonly route?: (request: Request, host: Host) => Promise<Response | null>;
  readonly mayFail?: boolean;
  /** What is in front of the application takes this off the path. */
  readonly stripped?: string;
}

export function openApplication(config: AuthConfig = {}, options: ApplicationOptions = {}): Application {
  const { env = {}, route, mayFail = false, stripped = "", ...hostOptions } = options;
  const log = recordLog();
  const runtime = { ...systemRuntime, env: (name: string) => env[name] };
  const host = createHost(testConfig({ logger: log.logger, ...config }), {
    basePath: "/auth",
    runtime,
    ...hostOptions,
  });
  const served: string[] = [];
  async function inner(request: Request): Promise<Response> {
    if (await host.isOwn(request)) return await host.answer(request);
    const { denied, ...reading } = await host.admit(request, BY_URL);
    if (denied) return withReading(denied, reading);
    const path = decodeURIComponent(new URL(request.url).pathname).toLowerCase();
    served.push(path);
    const response = await route?.(request, host) ?? new Response(reading.session?.user?.name ?? "stranger");
    return withReading(response, reading);
  }
  const site = (request: Request) => {
    const url = new URL(request.url);
    if (!url.pathname.startsWith(`${stripped}/`)) return Promise.resolve(new Response("elsewhere", { status: 404 }));
    url.pathname = url.pathname.slice(stripped.length);
    return inner(stripped ? new Request(url, request) : request);
  };
  const basePath = new URL(env.AUTH_URL ?? "http://x/").pathname;
  const browser = () => new Browser(site, { application: true, mayFail, ...(basePath.length > 1 && { basePath }) });
  return { host, site, browser, served, log };
}

/** An adapter whose storage can be taken away. */
export function shakyAdapter(): { readonly adapter: Adapter; readonly state: { down: boolean } } {
  const state = { down: false };
  const honest = memoryAdapter() as Adapter;
  const adapter = Object.fromEntries(
    Object.entries(honest).map(([name, operation]) => [name, (...args: unknown[]) => {
      if (state.down) return Promise.reject(new Error("storage is down"));
      return (operation as (...args: unknown[]) => unknown).apply(honest, args);
    }]),
  ) as Adapter;
  return { adapter, state };
}
