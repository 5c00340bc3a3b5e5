/**
 * People who add, remove and undo second factors, at a service whose mails are kept.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Adapter, AuthConfig, OutgoingMail, StoredRecord } from "@x/auth";
import { makeFeature } from "../../src/contract/feature.ts";
import type { AuthEvent } from "../../src/request/happened.ts";
import type { Points } from "../../src/request/points.ts";
import { secondFactor, type SecondFactorOptions } from "../../src/second_factor.ts";
import { FACTOR, recoveryIdOf } from "../../src/second_factor/factors.ts";
import { fromBase32, STEP, totpAt } from "../../src/second_factor/totp.ts";
import { readForms } from "./forms.ts";
import { type TestRuntime, testRuntime } from "./runtime.ts";
import { openVisitedService, type VisitedService, type Visitor } from "./visitors.ts";

export const ADA = "ada@example.com";

/** A service with second factors. */
export interface FactorSite {
  readonly runtime: TestRuntime;
  readonly service: VisitedService;
  readonly adapter: Adapter;
  readonly mails: OutgoingMail[];
  readonly events: AuthEvent[];
}

/** Opens a service. */
export async function openFactorSite(
  { options = {}, ...config }: AuthConfig & { readonly adapter: Adapter; readonly options?: SecondFactorOptions },
): Promise<FactorSite> {
  const runtime = testRuntime();
  const mails: OutgoingMail[] = [];
  const events: AuthEvent[] = [];
  const changed: Points["changed"] = (_, event) => void events.push(event);
  const recorder = makeFeature("recorder", [], () => Promise.resolve({ changed } satisfies Points), ["changed"]);
  const service = await openVisitedService({
    runtime,
    features: [secondFactor(options), recorder],
    mail: (mail) => void mails.push(mail),
    ...config,
    callbacks: {
      session: ({ session, token, user, auth }) => ({ ...session, id: token?.sub ?? user?.id, level: auth?.level }),
      ...config.callbacks,
    },
  });
  return { runtime, service, adapter: config.adapter, mails, events };
}

/** Signs in with a link. */
export async function byLink(
  { service }: Pick<FactorSite, "service">,
  visitor: Visitor,
  email = ADA,
): Promise<Response> {
  await visitor.ask(email);
  return await visitor.open(service.links.get(email) ?? assert.fail("no link was sent"));
}

/** What the page of factors says to a script. */
export interface FactorsJson {
  readonly error?: string;
  readonly url?: string;
  readonly purpose: string;
  readonly isOn: boolean;
  readonly factors: readonly { readonly id: string; readonly type: string; readonly name: string | null }[];
  readonly recoveryCodes: number | null;
  readonly problem: string | null;
  readonly step: {
    readonly kind: string;
    readonly ask?: number;
    readonly codes?: readonly string[];
    readonly setup?: { readonly id: string; readonly secret: string; readonly uri: string };
  };
}

/** Reads the answer. */
export async function read(response: Response): Promise<FactorsJson> {
  return await response.json();
}

/** The code that an application shows. @param steps How much later than now. */
export async function codeOf({ runtime }: Pick<FactorSite, "runtime">, secret: string, steps = 0): Promise<string> {
  const bytes = fromBase32(secret) ?? assert.fail("the secret is not base32");
  return await totpAt(bytes, Math.floor(runtime.now() / 1000 / STEP) + steps);
}

/** An application that was added. */
export interface App {
  readonly id: string;
  readonly secret: string;
}

/** What somebody has who has enrolled. */
export interface Enrolled extends App {
  readonly codes: readonly string[];
}

/** Begins with an application. */
export async function beginApp(visitor: Visitor): Promise<App> {
  const { step } = await read(await visitor.post("/auth/factors", { act: "totp" }));
  const { id, secret } = step.setup ?? assert.fail(`no secret, but ${JSON.stringify(step)}`);
  return { id, secret };
}

/** Adds an application. */
export async function addApp(site: FactorSite, visitor: Visitor): Promise<App & { readonly shown: FactorsJson }> {
  const { id, secret } = await beginApp(visitor);
  const answer = await visitor.post("/auth/factors", { act: "confirm", id, code: await codeOf(site, secret) });
  return { id, secret, shown: await read(answer) };
}

/** What is typed back of the codes that are shown. */
export function endAsked({ step: { codes = [], ask = 0 } }: FactorsJson): string {
  return (codes[ask - 1] ?? "").slice(-4);
}

/** Adds an application and keeps the codes that follow. */
export async function enrol(
  site: FactorSite,
  visitor: Visitor,
  fields: Readonly<Record<string, string>> = {},
): Promise<Enrolled & { readonly answer: Response }> {
  const { id, secret, shown } = await addApp(site, visitor);
  assert.equal(shown.step.kind, "recovery-codes", JSON.stringify(shown));
  const answer = await visitor.post("/auth/factors", { act: "keep", code: endAsked(shown), ...fields });
  return { id, secret, codes: shown.step.codes ?? [], answer };
}

/** Makes somebody enrolled without hashes, which take a while. Their session stays what it is. */
export async function enrolAtOnce({ adapter, runtime }: FactorSite, visitor: Visitor): Promise<App> {
  const app = await beginApp(visitor);
  const record = await adapter.getRecord?.({ kind: FACTOR, id: app.id }) ?? assert.fail("there is no record");
  const { userId } = record;
  const { draft: _, ...data } = record.data;
  await adapter.putRecord?.({ ...record, expires: null, data: { ...data, isConfirmed: true } });
  const createdAt = runtime.now() / 1000;
  await adapter.putRecord?.({
    kind: FACTOR,
    id: await recoveryIdOf(String(userId)),
    userId,
    version: 0,
    data: { type: "recovery", isConfirmed: true, createdAt, usedAt: null, hashes: { 1: "x", 2: "x" } },
  });
  return app;
}

/** The records of the factors of a user. */
export async function recordsOf({ adapter }: Pick<FactorSite, "adapter">, userId: string): Promise<StoredRecord[]> {
  return await adapter.listRecords?.({ kind: FACTOR, userId }) ?? [];
}

/** Whether a second proof is asked of a user. */
export async function isOnFor(site: Pick<FactorSite, "adapter">, userId: string): Promise<boolean> {
  return (await recordsOf(site, userId)).some(({ data }) => data.type === "recovery" && data.isConfirmed === true);
}

/** Gives the second proof. The clock goes on: no code is right twice. */
export async function prove(site: FactorSite, visitor: Visitor, { secret }: App): Promise<Response> {
  site.runtime.advance(2 * STEP);
  return await visitor.post("/auth/challenge", { method: "totp", code: await codeOf(site, secret) });
}

/** The link that undoes, in the newest mail. */
export function undoLink({ mails }: FactorSite): URL {
  const [link] = /https?:\S+act=undo\S+/.exec(mails.at(-1)?.text ?? "") ?? assert.fail("the mail has no link");
  return new URL(link);
}

/** Opens a page as a browser does, and gives its forms. */
export async function formsAt(response: Response): Promise<ReturnType<typeof readForms>> {
  return readForms(await response.text());
}
