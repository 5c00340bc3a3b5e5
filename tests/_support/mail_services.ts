/**
 * Doubles of mail services: what each of them expects and answers, as it is recorded in `tests/catalogue/mail/`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash, createHmac } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

/** An answer of a service. A body that is not text is sent as JSON. */
export interface RecordedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** An answer that refuses an email, and what has to be made of it. */
export interface RecordedFailure extends RecordedAnswer {
  readonly reason: "key" | "address" | "limit" | "unavailable" | "refused";
  /** Whose address is refused. */
  readonly what?: "sender" | "recipient";
  /** The service's own code. */
  readonly code?: string;
}

/** The facts about a service. */
export interface MailFacts {
  readonly id: string;
  readonly docs: string;
  /** A key of the form that the service gives out. */
  readonly key: string;
  /** Options that the provider is made with. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The request. Text in braces stands for what differs from email to email. */
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
    /** Whether the body is a form of several parts. */
    readonly form?: boolean;
  };
  readonly success: RecordedAnswer;
  readonly failures: readonly RecordedFailure[];
  /** Where the request differs from that of Auth.js, and why; absent if Auth.js does not have the service. */
  readonly differencesFromAuthjs?: readonly string[];
  /** What is not known for sure. */
  readonly unsure: readonly string[];
}

const FOLDER = new URL("../catalogue/mail/", import.meta.url);

/** All services, by id. */
export const MAIL_SERVICES: readonly MailFacts[] = readdirSync(FOLDER).toSorted().map((file) => {
  const facts = JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")) as MailFacts;
  assert.equal(`${facts.id}.json`, file);
  return facts;
});

/** What was sent, by the name of its place: `to`, `subject`, `html`, `text`, `url`. */
export type SentMail = Readonly<Record<string, string>>;

/** Checks that a request is the recorded one, and returns what differs from email to email. */
export async function readSent(facts: MailFacts, request: Request): Promise<SentMail> {
  const { method, url, headers, body, form } = facts.request;
  assert.deepEqual([request.method, request.url, request.redirect], [method, url, "manual"]);
  const bytes = new Uint8Array(await request.clone().arrayBuffer());
  const given = Object.fromEntries(request.headers);
  for (const [name, value] of Object.entries(headers)) {
    assert.equal(given[name], expectedHeader(facts, value, { request, given, bytes }), name);
  }
  const others = Object.keys(given).filter((name) => !(name in headers) && !/^x-amz-date$|^x-ms-/.test(name));
  assert.deepEqual(others, form ? ["content-type"] : [], "no other header leaves");
  const sent: Record<string, string> = {};
  const actual: unknown = form
    ? Object.fromEntries(
      [...await request.formData()].map(([name, value]) => [name, String(value).replaceAll("\r\n", "\n")]),
    )
    : JSON.parse(Buffer.from(bytes).toString("utf8"));
  assert.deepEqual(actual, filled(body, actual, { facts, sent }));
  return sent;
}

interface Filling {
  readonly facts: MailFacts;
  readonly sent: Record<string, string>;
}

/** Replaces what stands in braces by what was sent there. */
function filled(expected: unknown, actual: unknown, filling: Filling): unknown {
  if (typeof expected === "string") {
    const [, name = ""] = /^\{(\w+)\}$/.exec(expected) ?? [];
    if (name === "key") return filling.facts.key;
    if (name === "" || typeof actual !== "string") return expected;
    filling.sent[name] = actual;
    return actual;
  }
  if (Array.isArray(expected)) return expected.map((each, at) => filled(each, memberOf(actual, at), filling));
  if (typeof expected !== "object" || expected === null) return expected;
  const entries = Object.entries(expected);
  return Object.fromEntries(entries.map(([name, value]) => [name, filled(value, memberOf(actual, name), filling)]));
}

function memberOf(value: unknown, name: string | number): unknown {
  return (value as Record<string | number, unknown> | undefined)?.[name];
}

interface Received {
  readonly request: Request;
  readonly given: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

function expectedHeader({ key }: MailFacts, value: string, received: Received): string {
  if (value === "{aws4}") return awsSignature(key, received);
  if (value === "{azure}") return azureSignature(key, received);
  return value.replace("{key}", key).replace(/\{basic:([^}]*)\}/, (_, pair: string) => {
    return Buffer.from(pair.replace("key", key)).toString("base64");
  });
}

/** The signature that AWS expects, computed with `node:crypto`. */
function awsSignature(key: string, { request, given, bytes }: Received): string {
  const [id = "", secret = "", session] = key.split(":");
  const { host, pathname } = new URL(request.url);
  const [, , region = ""] = /^(\w+)\.([\w-]+)\.amazonaws\.com$/.exec(host) ?? [];
  const time = given["x-amz-date"] ?? "";
  assert.match(time, /^\d{8}T\d{6}Z$/);
  assert.equal(given["x-amz-security-token"], session);
  const names = ["accept", "content-type", "host", "x-amz-date", ...session ? ["x-amz-security-token"] : []];
  const sha = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");
  const canonical = `${request.method}\n${pathname}\n\n` +
    names.map((name) => `${name}:${name === "host" ? host : given[name]}\n`).join("") +
    `\n${names.join(";")}\n${sha(bytes)}`;
  const scope = [time.slice(0, 8), region, "ses", "aws4_request"];
  const text = `AWS4-HMAC-SHA256\n${time}\n${scope.join("/")}\n${sha(canonical)}`;
  const signing = scope.reduce<Buffer | string>(
    (secret, part) => createHmac("sha256", secret).update(part).digest(),
    `AWS4${secret}`,
  );
  const signature = createHmac("sha256", signing).update(text).digest("hex");
  return `AWS4-HMAC-SHA256 Credential=${id}/${scope.join("/")}, SignedHeaders=${
    names.join(";")
  }, Signature=${signature}`;
}

/** The signature that Azure expects, computed with `node:crypto`. */
function azureSignature(key: string, { request, given, bytes }: Received): string {
  const secret = Buffer.from(key.slice(key.indexOf("accesskey=") + 10), "base64");
  const { host, pathname, search } = new URL(request.url);
  const date = given["x-ms-date"] ?? "";
  assert.equal(new Date(date).toUTCString(), date);
  const hash = createHash("sha256").update(bytes).digest("base64");
  assert.equal(given["x-ms-content-sha256"], hash);
  const text = `POST\n${pathname}${search}\n${date};${host};${hash}`;
  const signature = createHmac("sha256", secret).update(text).digest("base64");
  return `HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=${signature}`;
}

/** Makes a response of a recorded answer. */
export function responseOf({ status, headers = {}, body }: RecordedAnswer): Response {
  return typeof body === "string"
    ? new Response(body, { status, headers: { "content-type": "text/plain", ...headers } })
    : Response.json(body, { status, headers });
}

/** The link in an email, as somebody clicks it. */
export function linkOf({ url, html = "" }: SentMail): string {
  if (url) return url;
  const [, link = ""] = /href="([^"]+)"/.exec(html) ?? [];
  return link.replaceAll("&amp;", "&");
}
