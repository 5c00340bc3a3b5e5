/**
 * People who have enrolled in second factors, without the pages where they do it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { scryptSync } from "node:crypto";
import type { Adapter, AuthConfig, OutgoingMail } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { secondFactor, type SecondFactorOptions } from "@x/auth/second-factor";
import type { ResolvedConfig } from "../../src/config/resolve.ts";
import { factorRecords, recordOf, sealSecret } from "../../src/second_factor/factors.ts";
import { fromBase32, totpAt } from "../../src/second_factor/totp.ts";
import { resolveNow } from "./resolved.ts";
import { type TestRuntime, testRuntime } from "./runtime.ts";
import { testConfig } from "./service.ts";
import { openVisitedService, type VisitedService, type Visitor } from "./visitors.ts";

export const ADA = "ada@example.com";
export const BOB = "bob@example.com";

/** The secret of everybody's application. */
export const TOTP_SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";

/** Codes of everybody's set. */
export const RECOVERY = ["1-ABCD-EFGH-IJKL", "2-MNOP-QRST-UVWX", "3-YZ23-4567-ABCD"] as const;

/** The set as it is stored, with hashes that cost little. */
export function recoveryHashes(): Readonly<Record<string, string>> {
  return Object.fromEntries(RECOVERY.map((code) => {
    const [number = "", ...secret] = code.split("-");
    const salt = Buffer.alloc(16, number);
    const key = scryptSync(secret.join(""), salt, 32, { N: 16, r: 8, p: 1 });
    const encoded = [salt, key].map((bytes) => bytes.toString("base64").replaceAll("=", ""));
    return [number, `$scrypt$ln=4,r=8,p=1$${encoded.join("$")}`];
  }));
}

/** What a configuration becomes that only has storage and a clock. */
export function resolvedFor(adapter: Adapter, runtime: TestRuntime): ResolvedConfig {
  return resolveNow(testConfig({ adapter }), runtime);
}

/** Stores factors of a user: an application and recovery codes, both confirmed. */
export async function enrol(
  config: Pick<ResolvedConfig, "storage" | "sealer">,
  userId: string,
  kinds: readonly ("totp" | "recovery")[] = ["totp", "recovery"],
): Promise<void> {
  const records = factorRecords(config);
  const common = { userId, version: 0, createdAt: 1, usedAt: null, isConfirmed: true };
  if (kinds.includes("totp")) {
    const id = `totp-${userId}`;
    const sealed = await sealSecret(config, id, TOTP_SECRET);
    await records.putRecord(recordOf({ ...common, id, type: "totp", name: null, sealed, lastStep: null }));
  }
  if (kinds.includes("recovery")) {
    const set = { ...common, id: `recovery-${userId}`, type: "recovery" as const, hashes: recoveryHashes() };
    await records.putRecord(recordOf(set));
  }
}

/** The code that the application shows, so many steps from now. */
export async function codeAt(runtime: TestRuntime, drift = 0): Promise<string> {
  return await totpAt(fromBase32(TOTP_SECRET) ?? assert.fail(), Math.floor(runtime.now() / 30_000) + drift);
}

/** A site with second factors, where people sign in at a provider that says who they are. */
export interface FactorSite {
  readonly runtime: TestRuntime;
  readonly adapter: Adapter;
  readonly service: VisitedService;
  readonly config: ResolvedConfig;
  readonly mails: OutgoingMail[];
  /** Somebody who has signed up and enrolled. Gives their id. */
  join(email: string, kinds?: Parameters<typeof enrol>[2]): Promise<string>;
  /** A browser in which somebody has given the first proof. */
  begin(email: string): Promise<Visitor>;
}

export interface FactorSiteOptions extends AuthConfig {
  readonly factor?: SecondFactorOptions;
  /** @default {true} */
  readonly sendsMail?: boolean;
}

export async function openFactorSite(
  { factor, sendsMail = true, ...options }: FactorSiteOptions = {},
): Promise<FactorSite> {
  const runtime = testRuntime();
  const mails: OutgoingMail[] = [];
  const adapter = options.adapter ?? memoryAdapter({ now: runtime.now });
  const service = await openVisitedService({
    runtime,
    features: [secondFactor(factor)],
    ...(sendsMail && { mail: (mail) => void mails.push(mail) }),
    ...options,
    adapter,
    callbacks: {
      session: ({ session, token, user, auth }) => ({ ...session, id: token?.sub ?? user?.id, auth }),
      ...options.callbacks,
    },
  });
  const config = resolvedFor(adapter, runtime);
  const told = (email: string) => ({ sub: email, email, email_verified: true });
  const begin = async (email: string) => {
    const visitor = service.visitor();
    await visitor.come("linking", told(email));
    return visitor;
  };
  const join = async (email: string, kinds?: Parameters<typeof enrol>[2]) => {
    await begin(email);
    const user = await adapter.getUserByEmail?.(email);
    assert.ok(user);
    await enrol(config, user.id, kinds);
    return user.id;
  };
  return { runtime, adapter, service, config, mails, join, begin };
}

/** How a session was proven, or `null` if there is none. */
export async function proofOf(visitor: Visitor): Promise<{ methods: readonly string[]; level: number } | null> {
  const session = await visitor.session() as { auth?: { methods: readonly string[]; level: number } } | null;
  return session?.auth ? { methods: session.auth.methods, level: session.auth.level } : null;
}
