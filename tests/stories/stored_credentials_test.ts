import { test } from "node:test";
import assert from "node:assert/strict";
import { type AdapterUser, type AuthConfig, createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { Browser } from "../_support/browser.ts";
import { mailbox } from "../_support/mailbox.ts";
import { ADA, password, recordLog, testConfig } from "../_support/service.ts";

const EMAIL = "ada@example.com";
const FIRST = { id: "1", name: "Ada", email: EMAIL, role: "admin" };

function open(config: AuthConfig = {}, first: Readonly<Record<string, unknown>> = FIRST) {
  let user: Readonly<Record<string, unknown>> = first;
  const adapter = memoryAdapter();
  const box = mailbox();
  const { logger, errors } = recordLog();
  const providers = [password({ authorize: () => user as never }), box.provider];
  const { handler } = createAuth(
    testConfig({ session: { strategy: "database" }, adapter, logger, providers, ...config }),
  );
  return {
    adapter,
    errors,
    say: (said: Readonly<Record<string, unknown>>) => void (user = said),
    async come(): Promise<Browser> {
      return await new Browser(handler, { mayFail: true }).signIn("credentials", ADA);
    },
    async follow(email = EMAIL): Promise<Browser> {
      const browser = await new Browser(handler, { mayFail: true }).signIn("email", { email });
      return await browser.open(box.link().href);
    },
  };
}

const roles: AuthConfig["callbacks"] = {
  session: ({ session: { expires }, user }) => {
    const { name, email, role } = user as AdapterUser & { role?: string };
    return { expires, user: { name, email }, role };
  },
};

test("what authorize returns at a sign-in is what stored sessions show from then on", async () => {
  const { come, say } = open({ callbacks: roles });
  const earlier = await come();
  say({ ...FIRST, name: "Ada L.", role: "member" });
  const later = await come();
  for (const browser of [earlier, later]) {
    const session = await browser.session();
    assert.deepEqual([session?.user, session?.role], [{ name: "Ada L.", email: EMAIL }, "member"]);
  }
});

test("what authorize leaves out stays as it was, and what it cleared is cleared", async () => {
  const { come, say, adapter } = open();
  await come();
  say({ id: "1", email: EMAIL, role: null });
  await come();
  const { name, role, email } = await adapter.getUser("1") as AdapterUser & { role?: unknown };
  assert.deepEqual({ name, role, email }, { name: "Ada", role: null, email: EMAIL });
});

test("a new address from authorize is stored as one that nobody verified", async () => {
  const { come, follow, say, adapter } = open({ callbacks: { signIn: () => true } });
  await come();
  await follow();
  assert.notEqual((await adapter.getUser("1"))?.emailVerified, null);
  say({ ...FIRST, email: "Other@Example.com" });
  await come();
  const { email, emailVerified } = await adapter.getUser("1") ?? {};
  assert.deepEqual([email, emailVerified], ["other@example.com", null]);
});

test("authorize can neither verify an address nor choose what sessions are held to", async () => {
  const { come, adapter } = open({}, {
    ...FIRST,
    emailVerified: new Date(0),
    vouchedEmail: EMAIL,
    securityStamp: "mine",
  });
  for (const _ of ["first", "again"]) {
    await come();
    const { emailVerified, vouchedEmail, securityStamp } = await adapter.getUser("1") ?? {};
    assert.deepEqual([emailVerified, vouchedEmail, securityStamp], [null, undefined, undefined]);
  }
});

test("an address that somebody else has stays theirs, and the sign-in goes on", async () => {
  const { come, follow, say, adapter } = open();
  await come();
  await follow("bob@example.com");
  say({ ...FIRST, email: "bob@example.com", role: "member" });
  const browser = await come();
  assert.equal((await browser.session())?.user?.email, EMAIL);
  assert.equal((await adapter.getUser("1") as AdapterUser & { role?: unknown }).role, "member");
});

test("the application is told when what it says of a user has changed, and only then", async () => {
  const told: unknown[] = [];
  const { come, say } = open({ events: { updateUser: ({ user }) => void told.push(user.name) } });
  await come();
  await come();
  say({ ...FIRST, name: "Ada L." });
  await come();
  assert.deepEqual(told, ["Ada L."]);
});

for (const strategy of ["database", "jwt"] as const) {
  test(`authorize that returns no id where there is an adapter is an error that says so (${strategy})`, async () => {
    const { come, adapter, errors } = open({ session: { strategy } }, { name: "Ada", email: EMAIL });
    const browser = await come();
    assert.equal(await browser.session(), null);
    assert.equal(await adapter.getUserByEmail(EMAIL), null);
    assert.match(errors[0]?.message ?? "", /`authorize` returned a user without `id`/);
  });
}

test("a password that opened a user opens it no more once somebody else has verified the address", async () => {
  const { come, follow, adapter, errors } = open();
  const mallory = await come();
  const owner = await follow();
  assert.equal(await mallory.session(), null);
  const again = await come();
  assert.equal(again.url.searchParams.get("error"), "AccessDenied");
  assert.equal(await again.session(), null);
  assert.match(errors.at(-1)?.message ?? "", /callbacks\.signIn.*emailProvenElsewhere/s);
  assert.equal((await adapter.listSessionsByUserId("1")).length, 1);
  assert.equal((await owner.session())?.user?.email, EMAIL);
});

test("an application that answers for the password is asked once, and lets in", async () => {
  const asked: unknown[] = [];
  const { come, follow } = open({
    callbacks: {
      signIn: ({ account, emailProvenElsewhere }) => {
        if (account?.type === "credentials") asked.push(emailProvenElsewhere);
        return true;
      },
    },
  });
  await come();
  await follow();
  assert.equal((await (await come()).session())?.user?.email, EMAIL);
  assert.equal((await (await come()).session())?.user?.email, EMAIL);
  assert.deepEqual(asked, [undefined, true, undefined]);
});

test("a password that is set after the address was verified opens the user without a question", async () => {
  const { come, follow, say, adapter } = open();
  await follow();
  const { id } = await adapter.getUserByEmail(EMAIL) ?? {};
  say({ id, email: EMAIL });
  assert.equal((await (await come()).session())?.user?.email, EMAIL);
});

test("a verification between the question and the commit asks again", async () => {
  const asked: unknown[] = [];
  const rows = memoryAdapter();
  let meanwhile: () => unknown = () => {};
  const adapter = {
    ...rows,
    commit: async (plan: Parameters<typeof rows.commit>[0]) => {
      const hook = meanwhile;
      meanwhile = () => {};
      await hook();
      return await rows.commit(plan);
    },
  };
  const { come, follow } = open({
    adapter,
    callbacks: {
      signIn({ account, emailProvenElsewhere }) {
        if (account?.type === "credentials") asked.push(emailProvenElsewhere);
        return !emailProvenElsewhere;
      },
    },
  });
  await come();
  meanwhile = () => follow();
  const browser = await come();
  assert.equal(await browser.session(), null);
  assert.deepEqual(asked, [undefined, undefined, true]);
});
