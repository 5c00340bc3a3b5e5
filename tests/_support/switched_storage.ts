/** An application on Auth.js with one of its adapters, which takes this library and its adapter on the same connection. */
import assert from "node:assert/strict";
import { Auth as otherAuth, type AuthConfig as OtherConfig } from "@auth/core";
import { type Adapter, createAuth } from "@x/auth";
import { Client } from "./both_services.ts";
import { SECRET } from "./service.ts";
import { liveIssuer, providerOf, signInAt } from "./sign_in_twice.ts";

/** The application's storage. */
export interface SwitchedStorage {
  /** The adapter of Auth.js. */
  readonly theirs: object;
  /** The adapter of this library. */
  readonly ours: Adapter & { migrate?(): Promise<void> };
  /** Reads all people with the application's own query, ordered by name. */
  people(): Promise<readonly Person[]>;
}

export interface Person {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
}

const ADA = { sub: "1", name: "Ada", email: "ada@example.com", email_verified: true };
const BOB = { sub: "2", name: "Bob", email: "bob@example.com", email_verified: true };

/** Signs in there, switches, and goes on here. */
export async function switchStorage({ theirs, ours, people }: SwitchedStorage): Promise<void> {
  const issuer = liveIssuer();
  const config = {
    secret: SECRET,
    trustHost: true,
    basePath: "/auth",
    session: { strategy: "database" },
    providers: [providerOf(issuer)],
  };
  const there = { ...config, adapter: theirs, logger: { error: () => {}, warn: () => {}, debug: () => {} } };
  const errors: unknown[] = [];
  const logger = { error: (error: unknown) => void errors.push(error), warn: () => {}, debug: () => {} };
  let handler = (request: Request) => otherAuth(request, there as unknown as OtherConfig);
  const side = { name: "there", handler: (request: Request) => handler(request) } as const;
  const ada = new Client(side);
  issuer.claim(ADA);
  await signInAt(ada, issuer);
  const before = await ada.json("/auth/session");
  assert.equal(before?.user?.email, ADA.email);
  const [known] = await people();
  assert.equal(known?.name, "Ada");

  await ours.migrate?.();
  ({ handler } = createAuth({ ...config, adapter: ours, logger } as Parameters<typeof createAuth>[0]));

  const after = await ada.json("/auth/session");
  assert.deepEqual(after, before, "she stays signed in");
  await ada.post("/auth/signout");
  assert.equal(await ada.json("/auth/session"), null, "the session of before ends");
  issuer.claim(ADA);
  await signInAt(ada, issuer);
  assert.equal((await ada.json("/auth/session"))?.user?.email, ADA.email);
  const bob = new Client(side);
  issuer.claim(BOB);
  await signInAt(bob, issuer);
  assert.equal((await bob.json("/auth/session"))?.user?.email, BOB.email);
  assert.deepEqual(errors, []);

  const all = await people();
  assert.deepEqual(all.map(({ name, email }) => ({ name, email })), [
    { name: "Ada", email: ADA.email },
    { name: "Bob", email: BOB.email },
  ]);
  assert.equal(all[0]?.id, known?.id, "she is the same user");
}
