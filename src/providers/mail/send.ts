/**
 * The one request to a mail service: bounded in time and size, without redirects.
 *
 * @module
 */
import type { FetchLike } from "../../contract/provider.ts";
import { readBytes } from "../../http/bytes.ts";
import type { Runtime } from "../../kernel/runtime.ts";
import type { MailAnswer } from "./failure.ts";

/** A request to a service. It is sent with POST. */
export interface MailRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData;
}

/** The answer of a service, or why there is none. */
export type SendResult =
  | { readonly kind: "answer"; readonly answer: MailAnswer }
  | { readonly kind: "redirect" | "too-large"; readonly status: number }
  | { readonly kind: "network"; readonly code: string | undefined };

/** What a request is sent with. */
export interface Sending {
  readonly runtime: Pick<Runtime, "fetch">;
  /** Replaces the `fetch` of the runtime. */
  readonly fetch: FetchLike | undefined;
  /** Ends the request. */
  readonly signal: AbortSignal;
}

/** The largest answer, in bytes. */
const MAX_ANSWER = 64 * 1024;

/** Sends a request and reads the answer. Never throws: errors of the network could quote what was sent. */
export async function send({ url, headers, body }: MailRequest, sending: Sending): Promise<SendResult> {
  const { runtime, fetch, signal } = sending;
  // A redirect would take the key and the link to another host.
  const init: RequestInit = { method: "POST", headers, body, redirect: "manual", signal };
  try {
    // Building the request may have taken too long.
    signal.throwIfAborted();
    const response = await (fetch ? fetch(url, init) : runtime.fetch(url, init));
    return await read(response, signal);
  } catch (error) {
    return { kind: "network", code: codeOf(error) };
  }
}

async function read(response: Response, signal: AbortSignal): Promise<SendResult> {
  const { status, headers, body } = response;
  if (response.type === "opaqueredirect" || response.redirected || (status >= 300 && status < 400)) {
    body?.cancel().catch(() => {});
    return { kind: "redirect", status };
  }
  const bytes = await readBytes(body, MAX_ANSWER, signal);
  if (bytes === null) return { kind: "too-large", status };
  const text = new TextDecoder().decode(bytes);
  return { kind: "answer", answer: { status, headers, text, json: parse(text) } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Messages of network errors quote URLs and headers. Their codes do not.
function codeOf(error: unknown): string | undefined {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } | null };
  const found = code ?? cause?.code;
  return typeof found === "string" && /^[A-Z][A-Z0-9_]{1,63}$/.test(found) ? found : undefined;
}
