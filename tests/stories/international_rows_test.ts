/** Rows that Auth.js stored for international addresses are found. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CompleteAdapter } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { bothServices, Client } from "../_support/both_services.ts";
import { liveIssuer, providerOf, signInAt } from "../_support/sign_in_twice.ts";

/** As people type them. Auth.js stores them in lower case and in Unicode. */
const ADDRESSES = [
  "Ada@Bücher.example",
  "ada@例え.テスト",
  "ada@παράδειγμα.δοκιμή",
  "ada@xn--bcher-kva.example",
  "ada@straße.example",
];

/** The adapter as our service has it: with `commit` and its kin, or without them as those of Auth.js. */
function adapters(): readonly (readonly [name: string, ours: object, theirs: CompleteAdapter])[] {
  return ["our own", "foreign"].map((name) => {
    const whole = memoryAdapter();
    const { commit: _, once: __, getVerificationToken: ___, ...foreign } = whole;
    return [name, name === "foreign" ? foreign : whole, whole];
  });
}

function open(ours: object, theirs: object, issuer = liveIssuer()) {
  const mails: { url: string }[] = [];
  const mail = {
    id: "email",
    name: "Email",
    type: "email",
    sendVerificationRequest: (sent: { url: string }) => void mails.push(sent),
  };
  const [here, there] = bothServices((side) => ({
    adapter: side === "here" ? ours : theirs,
    session: { strategy: "jwt" },
    providers: [mail, providerOf(issuer, { allowDangerousEmailAccountLinking: true })],
  }));
  return { here, there, mails };
}

async function follow(client: Client, url: string): Promise<string | undefined> {
  const { pathname, search } = new URL(url);
  await (await client.send(pathname + search)).body?.cancel();
  const session = await client.json("/auth/session");
  if (session) return session.user.email;
  // Another browser than the one that asked for the link has to confirm.
  await client.post(pathname + search);
  return (await client.json("/auth/session"))?.user.email;
}

for (const address of ADDRESSES) {
  for (const [name, ours, theirs] of adapters()) {
    test(`the user ${address} of Auth.js signs in by email here, with ${name} adapter`, async () => {
      const { here, there, mails } = open(ours, theirs);
      const before = new Client(there);
      await before.post("/auth/signin/email", { email: address });
      const stored = await follow(before, mails.at(-1)?.url ?? "");
      assert.ok(stored);
      const { id } = await theirs.getUserByEmail(stored) ?? {};
      assert.ok(id);
      const client = new Client(here);
      await client.post("/auth/signin/email", { email: address });
      assert.equal(await follow(client, mails.at(-1)?.url ?? ""), stored);
    });

    test(`a link that Auth.js sent to ${address} signs in here, once, with ${name} adapter`, async () => {
      const { here, there, mails } = open(ours, theirs);
      await new Client(there).post("/auth/signin/email", { email: address });
      const { url } = mails.at(-1) ?? { url: "" };
      assert.ok(await follow(new Client(here), url));
      assert.equal(await follow(new Client(here), url), undefined);
    });
  }
}

test("the user of an international address is found by a provider that tells it in Unicode or in ASCII", async () => {
  for (const email of ["kay@bücher.example", "kay@xn--bcher-kva.example"]) {
    const [, [, ours, theirs]] = adapters() as [unknown, readonly [string, object, CompleteAdapter]];
    const issuer = liveIssuer();
    issuer.claim({ email });
    const { here } = open(ours, theirs, issuer);
    const user = await theirs.createUser({ id: "u1", email: "kay@bücher.example", emailVerified: new Date(1e12) });
    await signInAt(new Client(here), issuer);
    const account = await theirs.getAccount("ada-1", "idp");
    assert.equal(account?.userId, user.id, email);
  }
});
