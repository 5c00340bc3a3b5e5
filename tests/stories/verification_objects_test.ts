/**
 * Provider objects of `@auth/core` that need storage, given to both libraries as they are, do the same in both. In a file
 * of their own: once Auth.js has seen one of them, it demands an adapter of every configuration in the process.
 */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readdirSync } from "node:fs";
import { afterEach, test } from "node:test";
import type { CompleteAdapter } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { Authenticator, coseOf } from "../_support/authenticator.ts";
import { make, open, ORIGIN, type SideName, Visitor } from "../_support/both_libraries.ts";
import { OAUTH_ROWS } from "../_support/provider_objects.ts";

const realFetch = globalThis.fetch;

afterEach(() => {
  globalThis.fetch = realFetch;
});

/** What the objects of mail services are made with. */
const EMAIL_ROWS: Readonly<Record<string, object>> = {
  email: {},
  forwardemail: { apiKey: "key-1" },
  loops: { apiKey: "key-1", transactionalId: "t-1" },
  mailgun: { apiKey: "key-1", from: "no-reply@app.test", region: "EU" },
  nodemailer: { from: "App <no-reply@app.test>", maxAge: 3600 },
  postmark: { apiKey: "key-1", from: "no-reply@app.test" },
  resend: { apiKey: "key-1", from: "no-reply@app.test" },
  sendgrid: { apiKey: "key-1", from: "no-reply@app.test", name: "Post" },
};

/** Asks for a link, and gives what left: requests, and emails of a transport. */
async function askForLink(side: SideName, module: string, options: object) {
  const sent: unknown[] = [];
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { headers } = request;
    const isForm = headers.get("content-type")?.startsWith("multipart/form-data") ?? false;
    const body = isForm ? Object.fromEntries(await request.formData()) : await request.json();
    sent.push({ url: request.url, authorization: headers.get("authorization"), body });
    return Response.json({});
  };
  const server = {
    name: "none",
    version: "1",
    send: ({ data }: { data: object }, done: (error: null, info: object) => void) => {
      sent.push(data);
      done(null, {});
    },
  };
  const transport = module === "nodemailer" || module === "email" ? { server } : {};
  const { service, errors, id } = open(side, await make(module, { ...transport, ...options }), memoryAdapter());
  const end = await new Visitor(service).start(id, { email: "Ada@Example.com", callbackUrl: `${ORIGIN}/inside` });
  return { sent: JSON.parse(JSON.stringify(sent).replaceAll(/token=[0-9a-f]{64}/g, "token=random")), errors, end };
}

for (const [module, options] of Object.entries(EMAIL_ROWS)) {
  test(`${module}: the email is the same`, async () => {
    const theirs = await askForLink("theirs", module, options);
    const ours = await askForLink("ours", module, options);
    assert.deepEqual([theirs.errors, ours.errors, theirs.sent.length], [[], [], 1]);
    assert.deepEqual(ours.sent, theirs.sent);
    assert.equal(ours.end.href, theirs.end.href);
  });

  test(`${module}: sendVerificationRequest is given the same members`, async () => {
    const given: Record<string, Readonly<Record<string, unknown>>> = {};
    for (const side of ["theirs", "ours"] as const) {
      const sendVerificationRequest = (request: Readonly<Record<string, unknown>>) => void (given[side] = request);
      const { errors } = await askForLink(side, module, { ...options, sendVerificationRequest });
      assert.deepEqual(errors, []);
    }
    const { theirs = {}, ours = {} } = given;
    // Ours knows the language of the visitor, too.
    assert.deepEqual(Object.keys(ours).toSorted(), [...Object.keys(theirs), "wording"].toSorted());
    assert.equal(ours.identifier, theirs.identifier);
    const [known, expected] = [ours.provider, theirs.provider] as Record<string, unknown>[];
    for (const [name, value] of Object.entries(expected ?? {})) {
      if (typeof value !== "function" && name !== "server") assert.deepEqual(known?.[name], value, name);
    }
    const life = ({ expires }: Readonly<Record<string, unknown>>) => Math.round((expires as Date).getTime() / 10_000);
    assert.ok(Math.abs(life(ours) - life(theirs)) <= 1);
    const bodyOf = async ({ request }: Readonly<Record<string, unknown>>) => {
      const { csrfToken: _, ...body } = await (request as Request).json();
      return body;
    };
    assert.deepEqual(await bodyOf(ours), await bodyOf(theirs));
  });
}

for (const module of ["passkey", "webauthn"]) {
  test(`${module}: the browser is asked the same to sign in`, async () => {
    const asked: Record<string, Record<string, unknown>> = {};
    for (const side of ["theirs", "ours"] as const) {
      const { service, id } = open(side, await make(module), memoryAdapter());
      const response = await new Visitor(service).send(`/auth/webauthn-options/${id}?action=authenticate`);
      const { action, options: { challenge, ...options } } = await response.json();
      asked[side] = { action, ...options, size: challenge.length };
    }
    assert.deepEqual(asked.ours, asked.theirs);
  });
}

/** Stores a user with a key as Auth.js does: ids in base64, no name of the user with the key. */
async function storeKey(adapter: CompleteAdapter, device: Authenticator, email: string): Promise<void> {
  await device.create({ challenge: "none", rp: { id: "app.test" } });
  const [key] = device.passkeys;
  assert.ok(key);
  const credentialID = Buffer.from(key.id).toString("base64");
  const { id: userId } = await adapter.createUser({ id: crypto.randomUUID(), email, emailVerified: null });
  await adapter.linkAccount({ userId, provider: "webauthn", providerAccountId: credentialID, type: "webauthn" });
  await adapter.createAuthenticator({
    userId,
    providerAccountId: credentialID,
    credentialID,
    credentialPublicKey: Buffer.from(await coseOf(key)).toString("base64"),
    counter: key.counter,
    credentialDeviceType: "singleDevice",
    credentialBackedUp: false,
    transports: "usb,nfc",
  });
}

test("webauthn: a key of Auth.js that no authenticator stores signs in where keys are listed by email", async () => {
  for (const allowCredentialsByEmail of [true, false]) {
    const adapter = memoryAdapter();
    const device = new Authenticator({ origin: ORIGIN, stores: false });
    await storeKey(adapter, device, "ada@example.com");
    const { service } = open("ours", await make("webauthn", { allowCredentialsByEmail }), adapter);
    const visitor = new Visitor(service);
    const query = new URLSearchParams({ action: "authenticate", email: "ada@example.com" });
    const { options } = await (await visitor.send(`/auth/webauthn-options/webauthn?${query}`)).json();
    const id = Buffer.from(device.passkeys[0]?.id ?? []).toString("base64url");
    const list = allowCredentialsByEmail ? [{ id, type: "public-key", transports: ["usb", "nfc"] }] : undefined;
    assert.deepEqual(options.allowCredentials, list);
    const data = await device.get(options);
    const end = await visitor.post("/auth/callback/webauthn", { action: "authenticate", data });
    assert.equal(end.searchParams.get("error"), allowCredentialsByEmail ? null : "WebAuthnVerificationError");
    const session = await (await visitor.send("/auth/session")).json();
    assert.equal(session?.user.email, allowCredentialsByEmail ? "ada@example.com" : undefined);
  }
});

test("every module of providers is in one of these tables", () => {
  const folder = new URL(".", import.meta.resolve("@auth/core/providers/github"));
  const modules = readdirSync(folder).filter((file) => file.endsWith(".js")).map((file) => file.slice(0, -3));
  const kinds = ["credentials", "passkey", "webauthn"];
  const withoutProvider = ["index", "oauth", "provider-types"];
  const known = [...Object.keys(OAUTH_ROWS), ...Object.keys(EMAIL_ROWS), ...kinds, ...withoutProvider];
  assert.deepEqual(modules.toSorted(), known.toSorted());
});
