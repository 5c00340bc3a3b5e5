/** Somebody who finds an old session adds neither an account nor a passkey to its user, who is told of what was added. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter, AuthConfig, OutgoingMail } from "@x/auth";
import { createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { password } from "@x/auth/providers/password";
import { accountPage } from "../../src/account.ts";
import { makeFeature } from "../../src/contract/feature.ts";
import { secondFactor } from "../../src/second_factor.ts";
import { cheapHash } from "../_support/passwords.ts";
import { type TestRuntime, testRuntime } from "../_support/runtime.ts";
import { testConfig } from "../_support/service.ts";
import { sessionKinds } from "../_support/session_kinds.ts";
import { openVisitedService, teller, type VisitedService, type Visitor } from "../_support/visitors.ts";

const ADA = "ada@example.com";
const PROVEN = { email: ADA, email_verified: true };

const SESSIONS = sessionKinds();

interface Site {
  readonly runtime: TestRuntime;
  readonly service: VisitedService;
  readonly adapter: Adapter;
  readonly ada: Visitor;
  readonly userId: string;
}

/** Ada, whose address is proven by a link, and who has just signed in. */
async function open(config: AuthConfig & { readonly adapter: Adapter }): Promise<Site> {
  const runtime = testRuntime();
  const service = await openVisitedService({ runtime, ...config });
  const ada = service.visitor();
  await ada.ask(ADA);
  await ada.open(service.links.get(ADA) ?? assert.fail());
  const userId = await ada.inside() ?? assert.fail("Ada is not signed in");
  return { runtime, service, adapter: config.adapter, ada, userId };
}

async function waysIn({ adapter, userId }: Pick<Site, "adapter" | "userId">): Promise<string[]> {
  const keys = [
    { provider: "plain", providerAccountId: "thief" },
    { provider: "plain", providerAccountId: "ada" },
  ];
  const owners = await Promise.all(keys.map(async (key) => await adapter.getUserByAccount?.(key)));
  const accounts = keys.filter((_, at) => owners[at]?.id === userId).map((key) => key.providerAccountId);
  const passkeys = await adapter.listAuthenticatorsByUserId?.(userId) ?? [];
  return [...accounts, ...passkeys.map(() => "passkey")];
}

const ON = { account: { freshSignIn: true } };

for (const [name, config] of Object.entries(SESSIONS)) {
  test(`with \`freshSignIn\`, an old session adds nothing, and a fresh one does: ${name}`, async () => {
    const site = await open({ ...config(), ...ON });
    const { runtime, ada, service } = site;
    runtime.advance(601);
    const thief = service.visitor();
    for (const [key, value] of ada.cookies) thief.cookies.set(key, value);

    const refused = await thief.come("plain", { sub: "thief", email: "thief@example.com" });
    assert.match(refused.headers.get("location") ?? "", /\/auth\/signin\?error=SessionRequired/);
    assert.equal(await thief.register(ADA), null);
    assert.deepEqual(await waysIn(site), []);
    assert.equal(await thief.inside(), site.userId, "the session stays as it is, and nobody else is signed in");
    assert.match(String(service.errors.at(-1)), /sign in again/);

    await ada.ask(ADA);
    await ada.open(service.links.get(ADA) ?? assert.fail());
    assert.equal((await ada.come("plain", { sub: "ada" })).headers.get("location"), "http://localhost:3000/");
    assert.ok(await ada.register(ADA));
    assert.deepEqual(await waysIn(site), ["ada", "passkey"]);
  });

  test(`without \`freshSignIn\`, an old session adds an account and no passkey, as before: ${name}`, async () => {
    const site = await open(config());
    site.runtime.advance(601);
    await site.ada.come("plain", { sub: "ada" });
    assert.equal(await site.ada.register(ADA), null);
    assert.deepEqual(await waysIn(site), ["ada"]);
  });

  test(`with \`freshSignIn\`, an old session becomes fresh by a sign-in with a known account: ${name}`, async () => {
    const site = await open({ ...config(), ...ON });
    await site.ada.come("plain", { sub: "ada" });
    site.runtime.advance(601);
    assert.equal(await site.ada.register(ADA), null);
    await site.ada.come("plain", { sub: "ada" });
    assert.ok(await site.ada.register(ADA));
    assert.deepEqual(await waysIn(site), ["ada", "passkey"]);
  });

  test(`with \`freshSignIn\`, what begins in time and ends too late adds nothing: ${name}`, async () => {
    const site = await open({ ...config(), ...ON });
    const { runtime, ada } = site;
    runtime.advance(590);
    const away = await ada.leave("plain");
    const answer = await ada.get("/auth/webauthn-options/passkey?action=register");
    const data = await ada.device.create((await answer.json()).options);
    runtime.advance(11);
    await ada.comeBack(away, { sub: "thief" });
    const refused = await ada.post("/auth/callback/passkey", { action: "register", data });
    assert.match(refused.headers.get("location") ?? "", /\/auth\/signin\?error=SessionRequired/);
    assert.deepEqual(await waysIn(site), []);
  });
}

test("with `freshSignIn`, a session that does not say when it began adds nothing, however new its token is", async () => {
  for (const strategy of ["jwt", "database"] as const) {
    const adapter = memoryAdapter();
    const forgetful: Adapter = {
      ...adapter,
      getSessionAndUser: async (token) => {
        const found = await adapter.getSessionAndUser?.(token) ?? null;
        if (!found) return null;
        const { auth_time: _, ...session } = found.session;
        return { ...found, session };
      },
    };
    const jwt: NonNullable<AuthConfig["jwt"]> = {
      encode: ({ token }) => {
        const { auth_time: _, ...claims } = token ?? {};
        return btoa(JSON.stringify({ ...claims, iat: 2_000_000_000 }));
      },
      decode: ({ token }) => JSON.parse(atob(token ?? "")),
    };
    const site = await open({ adapter: forgetful, session: { strategy, revalidate: false }, jwt, ...ON });
    await site.ada.come("plain", { sub: "ada" });
    assert.equal(await site.ada.register(ADA), null);
    assert.deepEqual(await waysIn(site), [], strategy);
  }
});

test("with `freshSignIn`, an old session does not keep a proven address from linking once it is gone", async () => {
  const site = await open({ ...SESSIONS.stored?.() ?? assert.fail(), ...ON });
  site.runtime.advance(601);
  await site.ada.come("linking", { sub: "1", ...PROVEN });
  await site.ada.signOut();
  await site.ada.come("linking", { sub: "1", ...PROVEN });
  assert.equal(await site.ada.inside(), site.userId);
});

/** Opens a site whose emails are kept. */
async function openTelling(
  config: AuthConfig & { readonly adapter: Adapter },
): Promise<Site & { mails: OutgoingMail[] }> {
  const mails: OutgoingMail[] = [];
  const site = await open({ theme: { name: "Acme" }, mail: (mail) => void mails.push(mail), ...config });
  return { ...site, mails };
}

for (const [name, config] of Object.entries(SESSIONS)) {
  test(`a user with a proven address is told once of each account and passkey that was added: ${name}`, async () => {
    const { ada, mails } = await openTelling(config());
    await ada.come("plain", { sub: "ada" });
    assert.ok(await ada.register(ADA));
    assert.deepEqual(mails.map(({ to, subject }) => [to, subject]), [
      [ADA, "Sign-in with plain was added to your account at Acme"],
      [ADA, "A passkey was added to your account at Acme"],
    ]);
    assert.match(mails[0]?.text ?? "", /May 6, 2031 at 12:00.* UTC\nIf this was you/s);
    await ada.come("plain", { sub: "ada" });
    assert.equal(mails.length, 2, "signing in adds nothing");
  });

  test(`nobody is told at an address that nobody has proven, and no new user is told: ${name}`, async () => {
    const { service, mails } = await openTelling(config());
    const eve = service.visitor();
    await eve.come("plain", { sub: "eve", email: "victim@example.com" });
    await eve.register("victim@example.com");
    await eve.come("linking", { sub: "eve", email: "eve@example.com", email_verified: true });
    const mallory = service.visitor();
    await mallory.register("other@example.com");
    await mallory.come("plain", { sub: "mallory" });
    assert.deepEqual(mails, []);
  });

  test(`a mailer that fails or hangs changes nothing but the log: ${name}`, async () => {
    const FAULTS: Readonly<Record<string, () => void | Promise<void>>> = {
      throws: () => {
        throw new Error("the mail service is down");
      },
      rejects: () => Promise.reject(new Error("the mail service is down")),
      hangs: () => new Promise(() => {}),
    };
    for (const [fault, mail] of Object.entries(FAULTS)) {
      const site = await open({ ...config(), mail, timeouts: { event: 0.05 } });
      const answer = await site.ada.come("plain", { sub: "ada" });
      assert.equal(answer.headers.get("location"), "http://localhost:3000/", fault);
      assert.deepEqual(await waysIn(site), ["ada"], fault);
      assert.equal(site.service.errors.length, 1, fault);
      assert.match(String(site.service.errors[0]), /Cannot send the email that says what was added/, fault);
      assert.equal(site.runtime.timers(), 0, fault);
    }
  });
}

test("nobody is told of what was not written, and once where it is written at the second try", async () => {
  for (const [result, expected] of [["conflict", 0], ["fails", 0], ["conflict once", 1]] as const) {
    const adapter = memoryAdapter();
    let isArmed = false;
    const odd: Adapter = {
      ...adapter,
      commit: async (plan) => {
        if (isArmed && result === "fails") throw new Error("the database is down");
        if (isArmed && result !== "conflict once") return "conflict";
        if (isArmed) {
          isArmed = false;
          return "conflict";
        }
        return await adapter.commit?.(plan) ?? "conflict";
      },
    };
    const { ada, mails } = await openTelling({ adapter: odd });
    isArmed = true;
    await ada.come("plain", { sub: "ada" }).catch(() => {});
    assert.equal(mails.length, expected, result);
  }
});

test("a user is told of what was added although the session cannot be opened", async () => {
  let fails = false;
  const { ada, mails } = await openTelling({
    ...SESSIONS.sealed?.() ?? assert.fail(),
    callbacks: {
      jwt: ({ token, trigger }) => {
        if (fails && trigger) throw new Error("the application is down");
        return token;
      },
    },
  });
  fails = true;
  await ada.come("plain", { sub: "ada" }).catch(() => {});
  assert.equal(mails.length, 1);
});

test("who has proven an address is told of an account that is linked by it, and who proves it first is not", async () => {
  const { service, mails } = await openTelling({ adapter: memoryAdapter() });
  await service.visitor().come("linking", { sub: "1", ...PROVEN });
  assert.deepEqual(mails.map(({ to, subject }) => [to, subject]), [
    [ADA, "Sign-in with linking was added to your account at Acme"],
  ]);
  const bob = service.visitor();
  await bob.come("plain", { sub: "bob", email: "bob@example.com" });
  await service.visitor().come("linking", { sub: "2", email: "bob@example.com", email_verified: true });
  assert.equal(mails.length, 1);
});

test("who is known to the first release by the mark of their account is told", async () => {
  const adapter = memoryAdapter();
  const { service, mails } = await openTelling({ adapter });
  const [email, userId] = ["bob@example.com", "bob"];
  await adapter.createUser?.({ id: userId, email, emailVerified: null });
  const account = { provider: "plain", providerAccountId: "bob", type: "oauth" as const, userId };
  await adapter.linkAccount?.({ ...account, email_verified: true });
  const bob = service.visitor();
  await bob.come("plain", { sub: "bob", email });
  assert.equal(await bob.inside(), userId);
  assert.ok(await bob.register(email));
  assert.deepEqual(mails.map(({ to }) => to), [email]);
});

test("names with line breaks and tags stay text of one line, in the language of the visitor", async () => {
  const theme = { name: "Acme\r\nBcc: <b>eve@example.com</b>", language: "de" };
  const { ada, mails } = await openTelling({ adapter: memoryAdapter(), theme });
  await ada.come("plain", { sub: "ada" });
  const [mail = assert.fail()] = mails;
  assert.equal(mail.language, "de");
  assert.match(mail.subject, /^Ihrem Konto bei Acme Bcc: .* hinzugefügt$/);
  assert.ok(!/[\r\n]/.test(mail.subject) && !mail.html.includes("<b>eve"), mail.subject);
  assert.match(mail.html, /<html lang="de" dir="ltr">/);
});

test("a feature that sends email needs `mail`, or a provider that sends any email", async () => {
  const feature = makeFeature("mailing", ["mail"], () => Promise.resolve({}));
  const linkOnly = { id: "email", name: "Email", type: "email" as const, sendVerificationRequest: () => {} };
  const wrong = async (config: AuthConfig) => {
    const found = await createAuth({ ...testConfig({}), features: [feature], ...config }).check()
      .then(() => "", (error: Error) => error.message);
    return found.split("\n- ").filter((line) => line.includes("mailing"));
  };
  const adapter = memoryAdapter();
  const message = 'Cannot use feature "mailing": it sends email; set `mail` to a function that sends one, or add a ' +
    "provider of a mail service";
  assert.deepEqual(await wrong({}), [message]);
  const why = '; provider "email" sends sign-in links only: it has no `sendMail`';
  assert.deepEqual(await wrong({ adapter, providers: [linkOnly] }), [message + why]);
  assert.deepEqual(await wrong({ adapter, providers: [{ ...linkOnly, sendMail: () => {} }] }), []);
  assert.deepEqual(await wrong({ mail: () => {} }), []);
});

/** What asks for a fresh sign-in on pages of its own. */
const ASKING: Readonly<Record<string, Pick<AuthConfig, "features" | "providers">>> = {
  "the account page": { features: [accountPage()] },
  "second factors": { features: [secondFactor()] },
  "passwords": { providers: [password({ hash: cheapHash() }), teller("plain")] },
};

for (const [what, config] of Object.entries(ASKING)) {
  test(`an old session does not become a fresh one by an account that its thief adds: ${what}`, async () => {
    for (const account of [{}, { freshSignIn: false }]) {
      const links = new Map<string, URL>();
      const email = { ...LINKS, sendVerificationRequest: keepIn(links) };
      const runtime = testRuntime();
      const adapter = memoryAdapter();
      const providers = [email, ...config.providers ?? [teller("plain")]];
      const service = await openVisitedService({ runtime, adapter, mail: () => {}, account, ...config, providers });
      const ada = service.visitor();
      await ada.ask(ADA);
      await ada.open(links.get(ADA) ?? assert.fail());
      const userId = await ada.inside() ?? assert.fail("Ada is not signed in");
      runtime.advance(601);
      await ada.come("plain", { sub: "thief" });
      const fresh = service.visitor();
      await fresh.come("plain", { sub: "thief" });
      // Who switches it off has chosen that.
      assert.equal(await fresh.inside() === userId, "freshSignIn" in account);
    }
  });
}

const LINKS = { id: "email", name: "Email", type: "email" } as const;

function keepIn(links: Map<string, URL>) {
  return ({ identifier, url }: { readonly identifier: string; readonly url: string }) => {
    links.set(identifier, new URL(url));
  };
}
