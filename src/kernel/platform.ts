/**
 * What runs the program, for whoever looks for a mistake.
 *
 * @module
 */

/** The globals by which runtimes can be told apart. */
export interface Platform {
  readonly Deno?: { readonly version?: { readonly deno?: string } };
  readonly process?: { readonly versions?: Readonly<Record<string, string | undefined>> };
  readonly EdgeRuntime?: unknown;
  readonly navigator?: { readonly userAgent?: string };
}

/** The oldest Node.js that the package is made for, as in `engines` of its manifest. */
const OLDEST_NODE = [22, 13] as const;

/** Names the runtime, with its version where it tells one. */
export function runtimeName(host: Platform = globalThis as Platform): string {
  // Deno has `process` too, but to read it there loads the compatibility with Node.
  if (host.Deno) return `Deno ${host.Deno.version?.deno ?? ""}`.trim();
  if (host.EdgeRuntime !== undefined) return "an edge runtime without a version";
  if (host.navigator?.userAgent === "Cloudflare-Workers") return "Cloudflare Workers";
  const { bun, node } = host.process?.versions ?? {};
  if (bun) return `Bun ${bun}`;
  return node ? `Node.js ${node}` : "an unknown runtime";
}

/** Whether this is a Node.js that is too old. */
export function isOldNode(name: string): boolean {
  const [, major, minor] = /^Node\.js (\d+)\.(\d+)/.exec(name) ?? [];
  if (!major || !minor) return false;
  const [oldest, oldestMinor] = OLDEST_NODE;
  return Number(major) < oldest || (Number(major) === oldest && Number(minor) < oldestMinor);
}
