/**
 * Form fields of a request, read with limits.
 *
 * @module
 */
import { readReceivedBytes } from "./bytes.ts";
import { exceededBound, SENT_JSON } from "./json_bounds.ts";

/** The fields of a body: text, or any JSON value if the body was JSON. Has no prototype. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields, or why they could not be read. */
export type BodyResult =
  | { readonly kind: "fields"; readonly fields: Fields; readonly repeated: ReadonlySet<string> }
  | { readonly kind: "refused"; readonly status: 400 | 413 | 415; readonly message: string };

/** The largest body, in bytes. */
export const MAX_BODY = 64 * 1024;

/** The most fields of a form. */
const MAX_FIELDS = 1000;

// Not `trim()`: HTTP knows only space and tab as white space (RFC 9110, section 5.6.3).
const ESSENCE = /^([^;\t ]+)[\t ]*(?:;|$)/;

/**
 * Reads the body of a request.
 *
 * @param request The request. Its body is consumed.
 * @param signal Stops reading and cancels the body. What was read by then is parsed.
 * @returns The fields. Where a name is repeated, the last value counts.
 */
export async function readFields(request: Request, signal?: AbortSignal): Promise<BodyResult> {
  const { headers } = request;
  if (Number(headers.get("content-length")) > MAX_BODY) return refusal(413, "Body is too large");
  const bytes = await readReceivedBytes(request.body, MAX_BODY, signal);
  if (bytes === null) return refusal(413, "Body is too large");
  if (bytes.length === 0) return { kind: "fields", fields: Object.create(null), repeated: new Set() };
  if (headers.has("content-encoding")) return refusal(415, "Body is encoded");
  const type = ESSENCE.exec(headers.get("content-type") ?? "")?.[1]?.toLowerCase();
  if (type !== "application/json" && type !== "application/x-www-form-urlencoded") {
    return refusal(415, "Body is neither a form nor JSON");
  }
  const text = decode(bytes);
  if (text === null) return refusal(400, "Body is not UTF-8");
  return type === "application/json" ? parseJson(text) : parseForm(text);
}

function refusal(status: 400 | 413 | 415, message: string): BodyResult {
  return { kind: "refused", status, message };
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function parseForm(text: string): BodyResult {
  if (text.split("&", MAX_FIELDS + 1).length > MAX_FIELDS) return refusal(413, "Body has too many fields");
  const fields: Record<string, unknown> = Object.create(null);
  const repeated = new Set<string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in fields) repeated.add(name);
    fields[name] = value;
  }
  return { kind: "fields", fields, repeated };
}

function parseJson(text: string): BodyResult {
  const exceeded = exceededBound(text, SENT_JSON);
  if (exceeded === "depth") return refusal(400, "Body is nested too deeply");
  if (exceeded === "members") return refusal(413, "Body has too many members");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refusal(400, "Body is not JSON");
  }
  if (value === null) value = {};
  if (typeof value !== "object" || value === null || Array.isArray(value)) return refusal(400, "Body is not an object");
  return { kind: "fields", fields: plain(value) as Fields, repeated: new Set() };
}

/** Creates a request with the fields as its JSON body, because the body of the original has been read. */
export function requestWith(
  { request, url }: { readonly request: Request; readonly url: URL },
  fields: Fields,
): Request {
  const copy = new Request(url, { method: "POST", headers: request.headers, body: JSON.stringify(fields) });
  copy.headers.delete("content-length");
  copy.headers.set("content-type", "application/json");
  return copy;
}

// Drops `__proto__`, so that the prototype is safe when an application merges the value.
function plain(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : Object.create(null);
  for (const [name, member] of Object.entries(value)) {
    if (name !== "__proto__") (copy as Record<string, unknown>)[name] = plain(member);
  }
  return copy;
}
