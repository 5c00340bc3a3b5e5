/**
 * Makes a provider of the facts about a mail service.
 *
 * @module
 */
import { customFetch, type EmailOptions, type EmailProvider, type FetchLike } from "../../contract/provider.ts";
import type { OutgoingMail } from "../../contract/outgoing_mail.ts";
import { withDeadline } from "../../kernel/deadline.ts";
import { InvalidConfig, Timeout } from "../../kernel/errors.ts";
import type { Awaitable } from "../../kernel/model.ts";
import { withoutUndefined } from "../../kernel/objects.ts";
import { type Runtime, systemRuntime } from "../../kernel/runtime.ts";
import {
  type ErrorPaths,
  type Hidden,
  mailError,
  type MailFailure,
  quote,
  quoteCode,
  readError,
  reasonOf,
  type Refusals,
} from "./failure.ts";
import { assertMailbox, assertOneLine, type Mail, readSender, type WriteMail, writeMail } from "./message.ts";
import { type MailRequest, send, type SendResult } from "./send.ts";

/** Options of every mail service. */
export interface MailServiceOptions<Id extends string = string> extends EmailOptions<Id> {
  /** Replaces `fetch` for the request to the service. */
  [customFetch]?: FetchLike | undefined;
}

/** Options of a mail service that is given the text of the email. */
export interface MailOptions<Id extends string = string> extends MailServiceOptions<Id> {
  /** The sender, such as `"Example <no-reply@example.com>"` or an address alone. The service must have verified it. */
  from: string;
  /** The subject. @default "Sign in to <name>" in the language of the visitor; the name is `theme.name`, or the host */
  subject?: string | undefined;
  /** Writes the email instead of `signInMail`. Missing parts keep their defaults. */
  message?: WriteMail | undefined;
}

/** What a provider is made with. */
type GivenOptions<Id extends string> = MailServiceOptions<Id> & Partial<Pick<MailOptions, "subject" | "message">>;

/** A provider that sends email by the API of a service. */
export interface MailProvider<Id extends string = string> extends EmailProvider<Id> {}

/** What a request is authenticated with. */
export interface MailAccess {
  /** The API key; empty if the service is given access in another way. */
  readonly key: string;
  /** The time that a signature is made for. */
  readonly now: Date;
}

/** The facts about a mail service. */
export interface MailServiceFacts {
  /** The id of the provider. */
  readonly id: string;
  /** The name of the service, for errors. */
  readonly service: string;
  /** The page where keys are made. */
  readonly keys: string;
  /** The page where senders are verified. */
  readonly senders: string;
  /** Whether nothing can be sent without `apiKey`. @default {true} */
  readonly needsApiKey?: boolean;
  /** Whether the sender is configured here. @default {true} */
  readonly needsFrom?: boolean;
  /** The request that sends an email. */
  request(mail: Mail, access: MailAccess): Awaitable<MailRequest>;
  /** Whether an answer with a status of success says that the email was accepted. @default every answer does */
  accepted?(json: unknown): boolean;
  /** Where an answer holds the error. */
  readonly error: ErrorPaths;
  /** What errors mean that the status alone does not tell. */
  readonly refusals: Refusals;
}

/** Seconds for the request if `timeout` is not set. */
const TIMEOUT = 5;

/** The share of the time that the request may take, so that there is time left to report a timeout. */
const SHARE = 0.9;

/**
 * Creates a provider from the facts about a mail service and the developer's options.
 *
 * @throws {InvalidConfig} if the sender is missing or not exactly one mailbox, or a text for a header has several lines.
 */
export function mailProvider<Id extends string>(
  facts: MailServiceFacts,
  given: GivenOptions<Id> | undefined,
  runtime: Pick<Runtime, "now" | "timer" | "fetch"> = systemRuntime,
): MailProvider<Id> {
  // Called without options in JavaScript, it lacks the sender, which is said.
  const options = given ?? {};
  const { subject, message, [customFetch]: fetch, ...overrides } = options;
  const { id, needsApiKey = true, needsFrom = true } = facts;
  const from = needsFrom ? readSender(options.from, id) : { address: "", name: "", text: "" };
  assertOneLine(subject, "subject", id);
  const sender = { facts, runtime, fetch };
  // With a sender of the developer's there may be no key, and a service that keeps the text sends no other one.
  const sendsMail = needsFrom && !options.sendVerificationRequest;
  return {
    // The factories name their own id as the default of `Id`.
    id: options.id ?? id as Id,
    name: "Email",
    type: "email",
    needsApiKey: needsApiKey && !options.sendVerificationRequest,
    async sendVerificationRequest(request) {
      const { provider, url, token } = request;
      await deliver(await writeMail(request, from, { subject, message }), {
        ...sender,
        provider,
        secrets: [url, token],
      });
    },
    ...(sendsMail && {
      async sendMail({ to, subject, text, html }: OutgoingMail, provider: EmailProvider) {
        assertMailbox(to);
        assertOneLine(subject, "subject", id);
        await deliver({ to, from, subject, text, html, url: "" }, { ...sender, provider, secrets: [] });
      },
    }),
    options: withoutUndefined(overrides),
  };
}

/** The variable that the key is read from. */
function variableOf(id: string): string {
  return `AUTH_${id.toUpperCase().replaceAll("-", "_")}_KEY`;
}

function keyOf({ id, apiKey }: EmailProvider, facts: Pick<MailServiceFacts, "needsApiKey">): string {
  const key: unknown = typeof apiKey === "string" ? apiKey.trim() : apiKey ?? "";
  const where = `\`apiKey\` of the provider ${id} or the environment variable ${variableOf(id)}`;
  if (key === "" && facts.needsApiKey !== false) throw new InvalidConfig(`Cannot send email: set ${where}`);
  // Checked here because the error of a header that cannot be sent quotes it.
  if (typeof key === "string" && /^[\x21-\x7e]*$/.test(key)) return key;
  throw new InvalidConfig(`Cannot send email: ${where} must be text in ASCII without spaces`);
}

interface Delivery {
  readonly facts: MailServiceFacts;
  readonly provider: EmailProvider;
  /** Parts of the email that an error must not quote. */
  readonly secrets: readonly string[];
  readonly runtime: Pick<Runtime, "now" | "timer" | "fetch">;
  readonly fetch: FetchLike | undefined;
}

async function deliver(mail: Mail, { facts, provider, secrets: own, runtime, fetch }: Delivery): Promise<void> {
  const access = { key: keyOf(provider, facts), now: new Date(runtime.now()) };
  const seconds = (provider.timeout ?? TIMEOUT) * SHARE;
  const abort = new AbortController();
  let sent: MailRequest | undefined;
  const run = async () => {
    sent = await facts.request(mail, access);
    return await send(sent, { runtime, fetch, signal: abort.signal });
  };
  const result = await withDeadline(runtime, seconds, facts.service, run)
    .catch((error) => {
      if (error instanceof Timeout) return { kind: "timeout" } as const;
      throw error;
    })
    .finally(() => abort.abort());
  const secrets = [...own, ...secretsOf(access.key, sent)];
  const failure = failureOf(result, facts, { hidden: { secrets, sender: mail.from.address }, now: access.now });
  if (!failure) return;
  throw mailError(failure.failure, failure.said, { ...facts, variable: variableOf(provider.id) });
}

/** The shortest part of a key that is taken for a secret. */
const SHORTEST_SECRET = 6;

// The parts of a key, and the values of headers made from it: a service may repeat any of them.
function secretsOf(key: string, sent: MailRequest | undefined): string[] {
  const parts = key.split(/[:;]/).flatMap((part) => [part, part.replace(/^[a-z]+=/i, "")]);
  const headers = Object.entries(sent?.headers ?? {}).filter(([name]) => !/^(?:content-type|accept)$/i.test(name));
  const values = headers.flatMap(([, value]) => [value, value.replace(/^\S+ /, "")]);
  return [key, ...parts, ...values].filter((secret) => secret.length >= SHORTEST_SECRET);
}

interface Reading {
  readonly hidden: Hidden;
  readonly now: Date;
}

/** Reads the result of a request: `null` if the email was accepted. */
function failureOf(
  result: SendResult | { readonly kind: "timeout" },
  { service, accepted, error, refusals }: MailServiceFacts,
  { hidden, now }: Reading,
): { readonly failure: MailFailure; readonly said: string } | null {
  switch (result.kind) {
    case "timeout":
      return { failure: { service, reason: "timeout" }, said: "" };
    case "network": {
      const { code: errorCode } = result;
      return { failure: { service, reason: "unavailable", ...(errorCode && { errorCode }) }, said: "" };
    }
    case "redirect":
    case "too-large": {
      const said = result.kind === "redirect" ? "it redirects" : "its answer is too large";
      return { failure: { service, reason: "unavailable", status: result.status }, said };
    }
    case "answer": {
      const { status, headers, json } = result.answer;
      if (status >= 200 && status < 300 && (accepted?.(json) ?? true)) return null;
      const found = readError(result.answer, error);
      const errorCode = quoteCode(found.code, hidden);
      const retryAfter = secondsUntil(headers.get("retry-after"), now);
      const failure = {
        service,
        reason: reasonOf(status, found, refusals),
        status,
        ...(errorCode && { errorCode }),
        ...(retryAfter !== undefined && { retryAfter }),
      };
      return { failure, said: quote(found.words, hidden) };
    }
    default:
      return result satisfies never;
  }
}

/** The longest wait that is believed, in seconds: a month. */
const LONGEST_WAIT = 31 * 24 * 60 * 60;

// Seconds, or a date (RFC 9110, section 10.2.3).
function secondsUntil(text: string | null, now: Date): number | undefined {
  if (text === null) return undefined;
  const seconds = /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now.getTime()) / 1000);
  return seconds >= 0 && seconds <= LONGEST_WAIT ? seconds : undefined;
}

/** A request with a JSON body. */
export function jsonRequest(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): MailRequest & { readonly body: string } {
  return {
    url,
    headers: { accept: "application/json", "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}

/** The value of `Authorization` for a bearer token (RFC 6750, section 2.1). */
export function bearer(key: string): { readonly authorization: string } {
  return { authorization: `Bearer ${key}` };
}

/** The value of `Authorization` for a name and a password (RFC 7617). */
export function basic(name: string, password: string): { readonly authorization: string } {
  return { authorization: `Basic ${btoa(`${name}:${password}`)}` };
}
