/**
 * The ways of signing in that people use with any adapter, told the same over each: here, and by Auth.js, which has to
 * see and store the same.
 *
 * @module
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import credentials from "@auth/core/providers/credentials";
import type { AdapterUser, AuthConfig } from "@x/auth";
import { passkey } from "@x/auth/providers/passkey";
import type { COLUMNS, Strategy } from "./adapter_facts.ts";
import { HERE, openSide, otherPasskey, type Side, THERE, type Visitor, type World } from "./both_sides.ts";
import type { ConfiguredAdapter, ForeignAdapter } from "./foreign_adapters.ts";

const ADA = { sub: "ada", name: "Ada", email: "ada@example.com" };
const BOB = { sub: "bob", name: "Bob", email: "bob@example.com" };

const DAY = 24 * 60 * 60 * 1000;

interface Told {
  readonly world: World;
  readonly adapter: ConfiguredAdapter;
  readonly strategy: Strategy;
}

interface Way {
  /** The column of the table in the documentation. */
  readonly column: typeof COLUMNS[number];
  /** Tells it. What it returns has to be the same on both sides. */
  readonly tell: (told: Told) => Promise<unknown>;
  /** With which strategies Auth.js can do it. @default both */
  readonly there?: readonly Strategy[];
  /** Whether it takes tables that not every adapter has. */
  readonly takesPasskeys?: boolean;
}

/** The ways, one for each column. */
export const WAYS: readonly Way[] = [
  { column: "OAuth", tell: byAccount },
  { column: "Email", tell: byEmail },
  { column: "Credentials", tell: byCredentials, there: ["jwt"] },
  { column: "Linking", tell: byLinking },
  { column: "Sessions", tell: bySessions },
  { column: "Sign-out", tell: bySigningOut },
  { column: "Passkeys", tell: byPasskeys, takesPasskeys: true },
];

async function byAccount({ world, adapter }: Told): Promise<unknown> {
  const ada = world.visitor();
  const told = [await ada.come("google", ADA), await userOf(ada)];
  const again = world.visitor();
  told.push(await again.come("google", { ...ADA, name: "Countess" }), await userOf(again));
  told.push(await storedAs(adapter, ADA.email), await owns(adapter, ADA.email, "google", ADA.sub));
  assert.deepEqual(told[1], { name: "Ada", email: ADA.email });
  return told;
}

async function byEmail({ world, adapter }: Told): Promise<unknown> {
  const ada = world.visitor();
  const told = [await ada.openLink(world, "ADA@example.com"), await userOf(ada), await storedAs(adapter, ADA.email)];
  told.push(await ada.follow(world.link().href));
  const again = world.visitor();
  told.push(await again.openLink(world, ADA.email), await userOf(again));
  assert.equal(told[0], "/");
  assert.equal(told[3], "/auth/error Verification");
  return told;
}

async function byCredentials({ world, adapter, strategy }: Told): Promise<unknown> {
  const told: unknown[] = [];
  const ids = new Set<string>();
  for (const _ of ["first", "second", "third"]) {
    const grace = world.visitor();
    told.push(await grace.signIn("credentials", { name: "grace" }), await userOf(grace));
    if (strategy === "database") ids.add(String((await adapter.getSessionAndUser?.(grace.token()))?.user.id));
  }
  assert.deepEqual(told.slice(0, 2), ["/", { name: "grace", email: "grace@example.com" }]);
  const stored = await adapter.getUserByEmail?.("grace@example.com") ?? null;
  assert.equal(stored !== null, strategy === "database");
  if (strategy === "database") {
    assert.deepEqual([...ids], [String(stored?.id)]);
    assert.equal(await owns(adapter, "grace@example.com", "credentials", "grace"), true);
  }
  const other = world.visitor();
  told.push(await other.signIn("credentials", { name: "hedy" }), await userOf(other));
  return told;
}

async function byLinking({ world, adapter }: Told): Promise<unknown> {
  const ada = world.visitor();
  await ada.come("google", ADA);
  const told = [await ada.come("lax", { sub: "ada-2", email: "ada@work.example" }), await userOf(ada)];
  told.push(await owns(adapter, ADA.email, "lax", "ada-2"));
  const elsewhere = world.visitor();
  told.push(await elsewhere.come("lax", { sub: "ada-2", email: "ada@work.example" }), await userOf(elsewhere));
  const other = world.visitor();
  told.push(await other.come("lax", { ...ADA, sub: "not ada" }), await userOf(other));
  const bob = world.visitor();
  await bob.come("google", BOB);
  told.push(await bob.come("lax", { sub: "ada-2" }), await userOf(bob));
  told.push(await world.visitor().openLink(world, ADA.email), await storedAs(adapter, ADA.email));
  assert.equal(told[2], true);
  assert.equal(told[5], "/auth/signin OAuthAccountNotLinked");
  return told;
}

async function bySessions({ world, adapter, strategy }: Told): Promise<unknown> {
  const ada = world.visitor();
  await ada.come("google", ADA);
  const told: unknown[] = [await userOf(ada), await userOf(ada)];
  if (strategy === "jwt") return told;
  const sessionToken = ada.token();
  await adapter.updateSession?.({ sessionToken, expires: new Date(Date.now() + 20 * DAY) });
  told.push(await userOf(ada));
  const renewed = (await adapter.getSessionAndUser?.(sessionToken))?.session.expires;
  told.push(new Date(renewed ?? 0).valueOf() > Date.now() + 29 * DAY);
  await adapter.updateSession?.({ sessionToken, expires: new Date(Date.now() - 5000) });
  told.push(await userOf(ada), await adapter.getSessionAndUser?.(sessionToken) ?? null);
  assert.deepEqual(told.slice(2), [{ name: "Ada", email: ADA.email }, true, null, null]);
  return told;
}

async function bySigningOut({ world, adapter, strategy }: Told): Promise<unknown> {
  const ada = world.visitor();
  await ada.come("google", ADA);
  const first = ada.token();
  const told: unknown[] = [await ada.signOut(), await userOf(ada)];
  if (strategy === "jwt") return told;
  told.push(await adapter.getSessionAndUser?.(first) ?? null);
  // The row is gone, and the browser does not know.
  for (const next of [(v: Visitor) => v.signOut(), (v: Visitor) => v.come("google", ADA)]) {
    await ada.come("google", ADA);
    await adapter.deleteSession?.(ada.token());
    await next(ada);
    told.push((await userOf(ada)) === null);
  }
  assert.deepEqual(told.slice(1), [null, null, true, false]);
  return told;
}

async function byPasskeys({ world, adapter }: Told): Promise<unknown> {
  const ada = world.visitor();
  const told: unknown[] = [await ada.register(ADA.email), await userOf(ada), await storedAs(adapter, ADA.email)];
  for (const _ of ["first", "second"]) {
    const again = ada.elsewhere();
    told.push(await again.authenticate(), await userOf(again));
  }
  const user = await adapter.getUserByEmail?.(ADA.email);
  const keys = await adapter.listAuthenticatorsByUserId?.(String(user?.id)) ?? [];
  told.push(keys.map(({ counter, credentialDeviceType, credentialBackedUp, transports }) => {
    return { counter, credentialDeviceType, credentialBackedUp: Boolean(credentialBackedUp), transports };
  }));
  const stranger = world.visitor();
  told.push(await stranger.come("google", ADA), await userOf(stranger));
  assert.equal(told[0], "/");
  assert.deepEqual(told[4], { email: ADA.email });
  return told;
}

/** What the browser is told of its user. */
async function userOf(visitor: Visitor): Promise<unknown> {
  const { name, email } = (await visitor.session())?.user as AdapterUser | undefined ?? {};
  return email ? { ...(name && { name }), email } : null;
}

/** What is stored of a user, as any storage may write it. */
async function storedAs(adapter: ConfiguredAdapter, address: string): Promise<unknown> {
  const user = await adapter.getUserByEmail?.(address);
  return user ? { name: user.name ?? null, email: user.email, isVerified: Boolean(user.emailVerified) } : null;
}

async function owns(adapter: ConfiguredAdapter, email: string, provider: string, providerAccountId: string) {
  const [owner, user] = [
    await adapter.getUserByAccount?.({ provider, providerAccountId }),
    await adapter.getUserByEmail?.(email),
  ];
  return user !== null && user !== undefined && String(owner?.id) === String(user.id);
}

function staff() {
  return credentials({
    credentials: { name: {} },
    authorize: ({ name }) => ({ id: String(name), name: String(name), email: `${name}@example.com` }),
  });
}

function configOf(side: Side, way: Way, strategy: Strategy, simpleWebAuthn?: object): AuthConfig {
  const key = side === THERE && simpleWebAuthn ? otherPasskey(simpleWebAuthn) : passkey();
  return { session: { strategy }, providers: [staff() as never, ...(way.takesPasskeys ? [key] : [])] };
}

/** Tells every way but passkeys over an adapter, with both strategies, and by Auth.js where it can. */
export function tellWays(foreign: ForeignAdapter): void {
  for (const way of WAYS) {
    if (!way.takesPasskeys) tellWay(foreign, way);
  }
  test(`${foreign.name}: sessions go on when servers change, and back`, () => tellChange(foreign));
}

/**
 * Tells how passkeys are used over an adapter, or refused if it keeps none.
 *
 * @param simpleWebAuthn What Auth.js verifies passkeys with. From then on it demands of every adapter in this process that
 * it keeps them, so tell everything else before. Without it, Auth.js is not asked.
 */
export function tellPasskeys(foreign: ForeignAdapter, simpleWebAuthn?: object): void {
  for (const way of WAYS) {
    if (way.takesPasskeys && foreign.facts.passkeys) tellWay(foreign, way, simpleWebAuthn);
  }
  if (!foreign.facts.passkeys) {
    test(`${foreign.name}: passkeys are refused with the names of what it lacks`, () => tellLack(foreign));
  }
}

const STRATEGIES = ["database", "jwt"] as const;

function tellWay(foreign: ForeignAdapter, way: Way, simpleWebAuthn?: object): void {
  const { name, facts } = foreign;
  const { column, takesPasskeys = false, there = STRATEGIES } = way;
  for (const strategy of STRATEGIES) {
    const tell = async (side: Side): Promise<unknown> => {
      const { adapter, close } = await foreign.open({ passkeys: takesPasskeys });
      try {
        const world = openSide(side, { adapter, ...configOf(side, way, strategy, simpleWebAuthn) });
        return await way.tell({ world, adapter, strategy }).catch((error: Error) => {
          const causes = world.errors.map((logged) => inspect(logged)).join("\n");
          throw new Error(`${side.name}: ${error.message}\nlogged: ${causes}`, { cause: error });
        });
      } finally {
        await close();
      }
    };
    const isAsked = there.includes(strategy) && (!takesPasskeys || simpleWebAuthn !== undefined) &&
      !facts.brokenThere?.includes(column);
    test(`${name}: ${column} works with the strategy ${strategy}${isAsked ? ", as in Auth.js" : ""}`, async () => {
      const here = await tell(HERE);
      if (!isAsked) return;
      assert.deepEqual(here, await (takesPasskeys ? untilReadable(() => tell(THERE)) : tell(THERE)));
    });
  }
}

/** Tells it again where the SimpleWebAuthn of Auth.js could not read a signature, as happens to one in a hundred. */
async function untilReadable(tell: () => Promise<unknown>): Promise<unknown> {
  for (let tries = 1;; tries++) {
    const told = await tell().catch((error: Error) => error);
    const isUnread = inspect(told).includes("WebAuthnVerificationError");
    if (isUnread && tries < 4) continue;
    if (told instanceof Error) throw told;
    return told;
  }
}

async function tellChange(foreign: ForeignAdapter): Promise<void> {
  const { adapter, close } = await foreign.open();
  try {
    const [here, there] = [openSide(HERE, { adapter }), openSide(THERE, { adapter })];
    for (const [from, to] of [[here, there], [there, here]] as const) {
      const ada = from.visitor();
      await ada.come("google", ADA);
      for (const world of [to, from, to]) {
        assert.deepEqual(await userOf(ada.at(world)), { name: "Ada", email: ADA.email });
      }
      await ada.at(to).signOut();
      assert.equal(await userOf(ada), null);
    }
  } finally {
    await close();
  }
}

async function tellLack(foreign: ForeignAdapter): Promise<void> {
  const { adapter, close } = await foreign.open();
  const { errors, visitor } = openSide(HERE, { adapter, providers: [passkey()] });
  await visitor().send("/auth/webauthn-options/passkey?action=register");
  assert.match(errors[0]?.message ?? "", /it lacks .*createAuthenticator/);
  await close();
}
