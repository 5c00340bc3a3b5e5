/**
 * What a line of the log is about: which request, which action, which provider. It is computed when a line is written.
 *
 * @module
 */
import { parseRoute } from "./route_path.ts";
import { systemRuntime } from "./runtime.ts";

/** The request that a line is about. Every context of a request is one. */
export interface LogSubject {
  /** The request. Without one, an object that stands for what the lines have in common. */
  readonly request: object;
  /** The URL that the visitor's browser asked for. */
  readonly url: URL | null;
  readonly config: { readonly basePath: string };
}

/** What the lines about one request have in common. */
export interface LogAbout {
  readonly requestId?: string;
  readonly provider?: string;
  readonly action?: string;
}

interface Notes {
  id?: string;
  provider?: string;
}

const notes = new WeakMap<object, Notes>();

function notesOf(request: object): Notes {
  const known = notes.get(request);
  if (known) return known;
  const made = {};
  notes.set(request, made);
  return made;
}

/** Notes which provider a request is about, if its path does not name one. */
export function setLogProvider({ request }: Pick<LogSubject, "request">, provider: string | undefined): void {
  if (provider !== undefined) notesOf(request).provider = provider;
}

/** Describes a request for the log. */
export function aboutOf(subject: LogSubject | undefined): LogAbout {
  if (!subject) return {};
  const { request, url, config } = subject;
  const known = notesOf(request);
  known.id ??= Array.from(systemRuntime.random(new Uint8Array(4)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
  const path = url && parseRoute(url.pathname, config.basePath);
  const provider = known.provider ?? path?.provider;
  return {
    // Anybody can write a path, and providers have short names.
    ...(provider && { provider: provider.slice(0, 64) }),
    ...(path && { action: path.action }),
    requestId: known.id,
  };
}
