/** The requests of the mail services that `@auth/core` has, compared with those of its own providers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { customFetch, type EmailProvider } from "@x/auth";
import { MAIL_SERVICES, type MailFacts, responseOf } from "../_support/mail_services.ts";

type MakeProvider = (options: object) => EmailProvider;

const LINK = "https://app.test/auth/callback/post?callbackUrl=https%3A%2F%2Fapp.test%2F&token=0f&email=ada%40b.test";

/** The address alone, because Auth.js makes requests of a name that its services refuse. */
const FROM = "no-reply@example.com";

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly authorization: Readonly<Record<string, string>>;
  readonly body: Record<string, unknown>;
}

async function see(request: Request): Promise<Seen> {
  const type = request.headers.get("content-type") ?? "";
  const body = type.startsWith("multipart/form-data")
    ? Object.fromEntries(await request.clone().formData())
    : await request.clone().json();
  const authorization = Object.fromEntries([...request.headers].filter(([name]) => /auth|key|token/.test(name)));
  return { method: request.method, url: request.url, authorization, body };
}

async function requestOf(provider: EmailProvider, apiKey: string): Promise<void> {
  await provider.sendVerificationRequest?.({
    identifier: "ada@b.test",
    url: LINK,
    token: "0f",
    expires: new Date(0),
    theme: {},
    request: new Request("https://app.test/"),
    provider: { ...provider, ...provider.options, apiKey } as EmailProvider,
  });
}

/** Replaces the bodies of the email, which each library writes itself, by whether they have the link. */
function withoutTexts(value: unknown): unknown {
  if (typeof value === "string") {
    const hasLink = value.includes(LINK) || value.includes(LINK.replaceAll("&", "&amp;"));
    return hasLink && value !== LINK ? "a text with the link" : value;
  }
  if (Array.isArray(value)) return value.map(withoutTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutTexts(member)]));
}

/** What the request of this library has besides, or in another way; each for a reason that the facts name. */
const OURS: Readonly<Record<string, (body: Record<string, unknown>) => Record<string, unknown>>> = {
  sendgrid: ({ tracking_settings: _, ...body }) => body,
  postmark: ({ TrackLinks: _, TrackOpens: __, ...body }) => body,
  mailgun: ({ "o:tracking": _, ...body }) => ({ ...body, from: `Mailgun <${body.from}>` }),
};

async function pair({ id, options, success }: MailFacts, key: string) {
  const seen: Seen[] = [];
  const answer = async (request: Request): Promise<Response> => {
    seen.push(await see(request));
    return responseOf(success);
  };
  const own: Record<string, unknown> = await import(`@x/auth/providers/${id}`);
  const theirs = await import(`@auth/core/providers/${id}`) as { readonly default: MakeProvider };
  const given = "from" in options ? { ...options, from: FROM } : options;
  const fetch = async (input: string | URL | Request, init?: RequestInit) => await answer(new Request(input, init));
  const ours = (own[id] as MakeProvider)({ ...given, [customFetch]: fetch });
  await requestOf(ours, key);
  const realFetch = globalThis.fetch;
  globalThis.fetch = fetch;
  try {
    const other = theirs.default(given);
    await requestOf(other, key);
    return { seen, ours, other };
  } finally {
    globalThis.fetch = realFetch;
  }
}

const SHARED = MAIL_SERVICES.filter(({ differencesFromAuthjs }) => differencesFromAuthjs);

test("six services of Auth.js have an API, and all of them are here", () => {
  assert.deepEqual(
    SHARED.map(({ id }) => id),
    ["forwardemail", "loops", "mailgun", "postmark", "resend", "sendgrid"],
  );
});

for (const facts of SHARED) {
  const { id, differencesFromAuthjs = [] } = facts;

  test(`${id}: the request is that of Auth.js, except for the differences that are listed`, async () => {
    const { seen: [ours, theirs], ours: made, other } = await pair(facts, facts.key);
    assert.ok(ours && theirs);
    const { body, ...sent } = ours;
    const { body: expected, ...known } = theirs;
    assert.deepEqual(sent, known);
    assert.deepEqual(withoutTexts(OURS[id]?.(body) ?? body), withoutTexts(expected));
    assert.equal(Boolean(OURS[id]), differencesFromAuthjs.length > 0);
    assert.deepEqual([made.id, made.type], [other.id, other.type]);
  });
}

test("nodemailer: the envelope, the sender and the subject are those of Auth.js", async () => {
  const seen: unknown[] = [];
  const server = {
    name: "none",
    version: "1",
    send: ({ data, message }: { data: Record<string, unknown>; message: { getEnvelope(): object } }, done: Done) => {
      const { from, subject, text, html } = data;
      seen.push({ envelope: message.getEnvelope(), from, subject, bodies: withoutTexts([text, html]) });
      done(null, {});
    },
  };
  const own = await import("@x/auth/providers/nodemailer");
  const theirs = await import("@auth/core/providers/nodemailer") as unknown as { readonly default: MakeProvider };
  for (const make of [own.nodemailer as MakeProvider, theirs.default]) {
    await requestOf(make({ server, from: "Example <no-reply@example.com>" }), "");
  }
  assert.equal(seen.length, 2);
  assert.deepEqual(seen[0], seen[1]);
});

type Done = (error: null, info: object) => void;
