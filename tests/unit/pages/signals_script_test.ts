import { test } from "node:test";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { embedded, SCRIPTS } from "../../../scripts/embed_client.ts";
import { SIGNALS_SCRIPT } from "../../../src/pages/signals_script.ts";
import { settled } from "../../_support/page.ts";

const source = await readFile(new URL(`../../../${SCRIPTS.signals.source}`, import.meta.url), "utf8");

test("the embedded script of signals is the one that is written", () => {
  assert.equal(SIGNALS_SCRIPT, embedded(source), "run scripts/embed_client.ts");
});

test("the script of signals takes less than 2.2 kB", () => {
  assert.ok(new TextEncoder().encode(SIGNALS_SCRIPT).length < 2200);
});

test("the script of signals makes neither markup nor code of text, and loads nothing from elsewhere", () => {
  assert.doesNotMatch(
    SIGNALS_SCRIPT,
    /innerHTML|outerHTML|insertAdjacent|document\.write|eval|Function\(|srcdoc|import|https?:/,
  );
});

const OPTIONS = "http://localhost/auth/webauthn-options/passkey";
const CALLBACK = "http://localhost/auth/callback/passkey";
const ACCEPTED = [{ rpId: "localhost", userId: "AA", allAcceptedCredentialIds: ["one"] }];

interface Setting {
  readonly dataset?: Readonly<Record<string, string>>;
  /** What the browser can do. */
  readonly known?: object | null;
  readonly answers?: Readonly<Record<string, () => Response>>;
  readonly create?: () => Promise<unknown>;
  readonly search?: string;
  readonly kept?: Map<string, string>;
}

/** Runs the script in a page, and tells what it did. */
async function run({ dataset = {}, known = {}, answers = {}, create, search = "", kept = new Map() }: Setting) {
  const did: unknown[] = [];
  const part = { dataset: { options: OPTIONS, name: "ada@example.com", displayName: "Ada", ...dataset } };
  const note = (what: string) => (given: object) => Promise.resolve(did.push({ [what]: given }));
  const self = {
    PublicKeyCredential: known && {
      signalAllAcceptedCredentials: note("accepted"),
      signalCurrentUserDetails: note("details"),
      signalUnknownCredential: note("unknown"),
      parseCreationOptionsFromJSON: (options: object) => options,
      ...known,
    },
    fetch: (url: URL | string, init: RequestInit = {}) => {
      const action = new URL(url).searchParams.get("action") ?? "post";
      did.push(action === "post" ? { post: Object.fromEntries(init.body as URLSearchParams) } : action);
      const answer = answers[action] ?? (() => Response.json({ accepted: ACCEPTED }));
      return Promise.resolve(answer());
    },
  };
  const navigator = { credentials: { create: (request: object) => (did.push({ create: request }), create?.()) } };
  const document = { querySelectorAll: (selector: string) => selector === "[data-passkeys]" ? [part] : [] };
  const location = { search, reload: () => void did.push("reload") };
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  };
  const globals = { self, document, navigator, location, sessionStorage: storage };
  new Function(...Object.keys(globals), SIGNALS_SCRIPT)(...Object.values(globals));
  await settled();
  return did;
}

test("the device is told which passkeys there are, and what their owner is called", async () => {
  const details = { rpId: "localhost", userId: "AA", name: "ada@example.com", displayName: "Ada" };
  assert.deepEqual(await run({}), ["list", { accepted: ACCEPTED[0] }, { details }]);
});

test("a browser without signals, or without passkeys, asks for nothing", async () => {
  assert.deepEqual(await run({ known: { signalAllAcceptedCredentials: undefined } }), []);
  assert.deepEqual(await run({ known: null }), []);
  assert.equal((await run({ known: { signalCurrentUserDetails: undefined } })).length, 2);
});

test("a service that fails is not noticed", async () => {
  const list = () => new Response("no", { status: 500 });
  assert.deepEqual(await run({ answers: { list } }), ["list"]);
});

const UPGRADE = { upgrade: CALLBACK, csrf: "token" };
const CAN = { getClientCapabilities: () => Promise.resolve({ conditionalCreate: true }) };
const challenge = () => Response.json({ options: { rp: { id: "localhost" } } });
const create = () => Promise.resolve({ id: "new", toJSON: () => ({ id: "new" }) });

/** What the script did about a passkey that the browser makes. */
async function upgrading(setting: Setting): Promise<unknown[]> {
  return (await run({ dataset: UPGRADE, known: CAN, create, ...setting })).slice(3);
}

test("a browser makes a passkey by itself, and the page shows it", async () => {
  const post = () => Response.json({ url: "http://localhost/" });
  const [asked, made, sent, ...rest] = await upgrading({ answers: { upgrade: challenge, post } });
  assert.equal(asked, "upgrade");
  assert.equal((made as { create: { mediation: string } }).create.mediation, "conditional");
  assert.deepEqual(sent, { post: { csrfToken: "token", action: "upgrade", data: '{"id":"new"}' } });
  assert.deepEqual(rest, ["reload"]);
});

test("a passkey that a page has let a browser make, and that is refused, is taken from the device", async () => {
  for (
    const post of [
      () => Response.json({ url: "http://localhost/?error=Verification" }),
      () => Response.json({ url: "http://localhost/" }, { status: 400 }),
    ]
  ) {
    const did = await upgrading({ answers: { upgrade: challenge, post } });
    assert.deepEqual(did.at(-1), { unknown: { rpId: "localhost", credentialId: "new" } });
  }
});

test("a page makes no passkey where it is not chosen, the browser cannot, or the service refuses", async () => {
  assert.deepEqual(await upgrading({ dataset: {} }), []);
  assert.deepEqual(await upgrading({ known: { getClientCapabilities: undefined } }), []);
  assert.deepEqual(await upgrading({ known: { getClientCapabilities: () => Promise.resolve({}) } }), []);
  const upgrade = () => Response.json({ error: "SessionRequired" }, { status: 403 });
  assert.deepEqual(await upgrading({ answers: { upgrade } }), ["upgrade"]);
});

test("whoever has removed a passkey gets no other one without a question, as long as the window is open", async () => {
  const kept = new Map<string, string>();
  const answers = { upgrade: challenge };
  assert.deepEqual(await upgrading({ answers, kept, search: "?done=removePasskey" }), []);
  assert.deepEqual(await upgrading({ answers, kept }), []);
  assert.ok((await upgrading({ answers })).length > 0);
});

test("a browser that would rather not make a passkey is no failure of the page", async () => {
  const did = await upgrading({
    answers: { upgrade: challenge },
    create: () => Promise.reject(new DOMException("no")),
  });
  assert.equal(did.length, 2);
});
