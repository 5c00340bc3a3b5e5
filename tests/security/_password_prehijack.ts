/**
 * Two people and one address, where passwords are one way in of several: whoever reads its mail is its owner, and the other
 * one is an impostor. Every way of each, in every order.
 *
 * Afterwards nothing of the impostor is in the user of the owner, or opens it, and the owner comes back in every way that
 * they have used.
 */
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { Adapter, OutgoingMail } from "@x/auth";
import { limits } from "@x/auth/limits";
import { passkey } from "@x/auth/providers/passkey";
import { password, type PasswordStore } from "@x/auth/providers/password";
import { Authenticator } from "../_support/authenticator.ts";
import type { Browser } from "../_support/browser.ts";
import { type MultiProvider, openMultiProvider } from "../_support/multi_provider.ts";
import { passkeyHolder } from "../_support/passkey_holder.ts";
import { type OpenedPlace, type Place, STRATEGIES, type Strategy } from "../_support/password_places.ts";
import { cheapHash } from "../_support/passwords.ts";

const THEIRS = "the password of the impostor";
const OWN = "what the owner has chosen";

interface Stage extends MultiProvider<Adapter> {
  readonly letters: OutgoingMail[];
  readonly store: PasswordStore | null;
}

function openStage({ adapter, store }: OpenedPlace, strategy: Strategy): Stage {
  const letters: OutgoingMail[] = [];
  const hashes = store && { store };
  const service = openMultiProvider<Adapter>({
    adapter,
    session: { strategy },
    mayFail: true,
    idps: { vouching: {}, other: {} },
    providers: [passkey(), password({ hash: cheapHash(), ...hashes })],
    mail: (mail) => void letters.push(mail),
    // Of many emails to one address, those of the impostor count as well.
    features: [limits({ off: "the orders are what is tested" })],
    // A sealed session says which address its user had.
    callbacks: { session: ({ session, token, user }) => ({ ...session, id: token?.sub ?? user?.id }) },
  });
  return { ...service, letters, store: store ?? null };
}

let count = 0;

/** Two people and an address. */
class Scene {
  readonly stage: Stage;
  readonly address = `owner-${++count}@example.com`;
  readonly impostor: Browser;
  readonly owner: Browser;
  readonly device: Authenticator;
  /** Every browser that the impostor has used. */
  readonly used: Browser[] = [];

  constructor(stage: Stage) {
    this.stage = stage;
    this.impostor = this.another();
    this.owner = stage.visitor();
    this.device = new Authenticator({ origin: this.owner.origin });
  }

  another(): Browser {
    const browser = this.stage.visitor();
    this.used.push(browser);
    return browser;
  }

  person(sub: string, isProven: boolean) {
    return { sub: `${sub}-${this.address}`, email: this.address, email_verified: isProven };
  }

  /** The links that were sent to the address, the newest first. Only its owner reads them. */
  links(path: string): string[] {
    return this.stage.letters.filter(({ to, text }) => to === this.address && text.includes("token=")).toReversed()
      .map(({ text }) => /https?:\S+/.exec(text)?.[0] ?? "").filter((url) => new URL(url).pathname === `/auth/${path}`);
  }

  async ask(browser: Browser, path: "signup" | "reset", text?: string): Promise<void> {
    await browser.open(`/auth/${path}`);
    await browser.submit({ email: this.address, ...(text !== undefined && { password: text }) }, `/${path}`);
  }

  async opens(text: string): Promise<boolean> {
    const browser = this.stage.visitor();
    const fields = { csrfToken: await browser.csrf(), email: this.address, password: text };
    await browser.post("/auth/callback/password", fields);
    return await this.isIn(browser);
  }

  async isIn(browser: Browser): Promise<boolean> {
    const session = await browser.session() as { readonly id?: string } | null;
    const user = await this.stage.adapter.getUserByEmail?.(this.address);
    return session !== null && session.id === user?.id;
  }
}

type Act = (scene: Scene) => Promise<unknown>;

/** An act, and how it is told. */
type Step = readonly [what: string, act: Act];

/** What adapters of Auth.js cannot undo, as the documentation says: they do not list the accounts of a user. */
const UNLISTED = "comes from a provider that vouches for nobody";

/** What somebody does who does not read the mail of the address. */
const IMPOSTORS: Readonly<Record<string, Act>> = {
  "registers with a password": (scene) => scene.ask(scene.impostor, "signup", THEIRS),
  "registers with a passkey": (scene) => passkeyHolder(scene.impostor, scene.device).register(scene.address),
  [UNLISTED]: async (scene) => {
    await scene.stage.come(scene.another(), "other", scene.person("impostor", false));
  },
  "asks for a new password": (scene) => scene.ask(scene.impostor, "reset"),
};

/** A way to prove an address. */
interface OwnerWay {
  /** What comes first, and what proves the address. */
  readonly acts: readonly [Act, Act];
  /** Whether the owner comes back by it. */
  readonly comesBack: Act;
}

async function byPassword(scene: Scene): Promise<void> {
  assert.equal(await scene.opens(OWN), true, "the password of the owner opens");
}

// Whose address is taken is told so, and chooses a password with the link of a reset.
async function finishReset(scene: Scene): Promise<void> {
  const [link = assert.fail("no link to choose a password")] = scene.links("reset");
  await scene.owner.open(link);
  await scene.owner.submit({ password: OWN }, "/reset");
}

// The newest link may be one that the impostor has asked for.
async function openRegistration(scene: Scene, link: string): Promise<void> {
  await scene.owner.open(link);
  if (!await scene.isIn(scene.owner)) await scene.owner.submit({ password: OWN }, "/signup");
}

const OWNERS: Readonly<Record<string, OwnerWay>> = {
  "registers with a password": {
    acts: [
      (scene) => scene.ask(scene.owner, "signup", OWN),
      async (scene) => {
        const [link] = scene.links("signup");
        if (link) return await openRegistration(scene, link);
        await scene.ask(scene.owner, "reset");
        await finishReset(scene);
      },
    ],
    comesBack: byPassword,
  },
  "chooses a new password": {
    acts: [
      // Who is not known yet registers.
      (scene) => scene.ask(scene.owner, "reset"),
      async (scene) => {
        if (scene.links("reset").length === 0) {
          await scene.ask(scene.owner, "signup", OWN);
          const [link] = scene.links("signup");
          if (link) return await openRegistration(scene, link);
          await scene.ask(scene.owner, "reset");
        }
        await finishReset(scene);
      },
    ],
    comesBack: byPassword,
  },
  "comes from a provider that vouches": {
    acts: [
      () => Promise.resolve(),
      async (scene) => {
        await scene.stage.come(scene.owner, "vouching", scene.person("owner", true));
        // A user who was verified by nobody may have the address: then a link proves it.
        if (!await scene.isIn(scene.owner)) await scene.stage.verifyMailbox(scene.owner, scene.address);
      },
    ],
    comesBack: async (scene) => {
      const browser = scene.stage.visitor();
      await scene.stage.verifyMailbox(browser, scene.address);
      assert.equal(await scene.isIn(browser), true);
    },
  },
  "opens a link": {
    acts: [
      () => Promise.resolve(),
      (scene) => scene.stage.verifyMailbox(scene.owner, scene.address),
    ],
    comesBack: async (scene) => {
      const browser = scene.stage.visitor();
      await scene.stage.verifyMailbox(browser, scene.address);
      assert.equal(await scene.isIn(browser), true);
    },
  },
};

/** Lists every order of two lists in which each keeps its own. */
function interleavings<T>(one: readonly T[], other: readonly T[]): (readonly T[])[] {
  const [[first, ...rest], [second, ...others]] = [one, other];
  if (first === undefined) return [other];
  if (second === undefined) return [one];
  return [
    ...interleavings(rest, other).map((order) => [first, ...order]),
    ...interleavings(one, others).map((order) => [second, ...order]),
  ];
}

/** Lists one act, or two different ones after each other. */
function sequences(names: readonly string[]): (readonly string[])[] {
  return names.flatMap((name) => [[name], ...names.filter((other) => other !== name).map((other) => [name, other])]);
}

/** What is wrong, if anything is. */
async function assertOwned(scene: Scene, way: OwnerWay, isForeign: boolean): Promise<void> {
  const { stage, owner, used, device } = scene;
  assert.equal(await scene.isIn(owner), true, "the owner is in");
  for (const browser of used) assert.equal(await scene.isIn(browser), false, "a session of the impostor");
  assert.equal(await scene.opens(THEIRS), false, "the password of the impostor");
  const again = stage.visitor();
  await stage.come(again, "other", scene.person("impostor", false));
  assert.equal(await scene.isIn(again), false, "the account of the impostor");
  for (const key of device.passkeys) {
    const browser = stage.visitor();
    await passkeyHolder(browser, device).authenticate().catch(() => false);
    assert.equal(await scene.isIn(browser), false, `a passkey of the impostor: ${key.id}`);
  }
  await assertRows(scene, isForeign);
  await way.comesBack(scene);
  // With an adapter of Auth.js each first proof in another way ends stored sessions, those of the owner as well.
  if (!isForeign) assert.equal(await scene.isIn(owner), true, "the owner is in still");
}

/** Looks for what an impostor may have left in storage. */
async function assertRows({ stage: { adapter, store, letters }, address }: Scene, isForeign: boolean): Promise<void> {
  const user = await adapter.getUserByEmail?.(address) ?? assert.fail("the user of the owner");
  // Adapters of Auth.js remove no passkeys: what opens one is its account.
  if (!isForeign) assert.deepEqual(await adapter.listAuthenticatorsByUserId?.(user.id) ?? [], []);
  const accounts = await adapter.listAccountsByUserId?.(user.id) ?? [];
  assert.deepEqual(accounts.filter(({ provider }) => provider === "other"), []);
  const account = { provider: "other", providerAccountId: `impostor-${address}` };
  assert.notEqual((await adapter.getUserByAccount?.(account))?.id, user.id);
  const hash = await store?.get(user.id);
  if (hash) assert.equal(hash, `new:${OWN}`);
  for (const kind of ["password", "factor", "device", "key"]) {
    for (const { data } of await adapter.listRecords?.({ kind, userId: user.id }) ?? []) {
      assert.deepEqual([kind, data.hash, data.email], ["password", `new:${OWN}`, address]);
    }
  }
  // A link that was sent elsewhere would be one of the impostor.
  const about = letters.filter(({ text }) => text.includes(encodeURIComponent(address)) || text.includes(address));
  assert.deepEqual(about.filter(({ to }) => to !== address).map(({ to }) => to), []);
}

/** Storage, and how many of the orders are played there. */
export interface Kind extends Pick<Place, "name" | "open" | "skip" | "endsSessions" | "isForeign"> {
  /** Of how many orders one is played, as each costs more. */
  readonly every: number;
}

/** Plays the orders where sessions can be ended: a session of an impostor would go on elsewhere. */
export function testOrders(kind: Kind): void {
  const { name, open, endsSessions = STRATEGIES, skip = false } = kind;
  for (const strategy of endsSessions) {
    describe(`over ${name}, ${strategy}`, { skip }, () => {
      // Once: each scene has an address of its own.
      let opened: Promise<OpenedPlace> | null = null;
      after(async () => await (await opened)?.close());
      for (const [ownersName, way] of Object.entries(OWNERS)) {
        test(`whoever ${ownersName} has an address alone, whatever an impostor does before, between and after`, async () => {
          opened ??= Promise.resolve(open());
          await playOrders(openStage(await opened, strategy), way, kind);
        });
      }
    });
  }
}

async function playOrders(stage: Stage, way: OwnerWay, { every, isForeign = false }: Kind): Promise<void> {
  let at = 0;
  const acts = Object.keys(IMPOSTORS).filter((act) => !isForeign || act !== UNLISTED);
  for (const sequence of sequences(acts)) {
    const theirs = sequence.map((name): Step => [`the impostor ${name}`, IMPOSTORS[name] as Act]);
    const own = way.acts.map((act, step): Step => [`the owner, step ${step + 1}`, act]);
    for (const order of interleavings(theirs, own)) {
      if (at++ % every !== 0) continue;
      const scene = new Scene(stage);
      try {
        for (const [, act] of order) await act(scene);
        await assertOwned(scene, way, isForeign);
      } catch (error) {
        const told = order.map(([what]) => what).join(", then ");
        throw new Error(`${told}: ${(error as Error).message}`, { cause: error });
      }
    }
  }
}
