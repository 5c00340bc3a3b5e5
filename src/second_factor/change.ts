/**
 * Names and removes factors.
 *
 * @module
 */
import type { AdapterAuthenticator } from "../kernel/model.ts";
import { UNFIT_IN_NAMES } from "../kernel/names.ts";
import type { RequestContext } from "../request/context.ts";
import type { FactorEntry } from "../request/factor_views.ts";
import type { Outcome } from "../request/outcome.ts";
import { findWays } from "../sign_in/ways.ts";
import { removeOwnPasskey } from "../webauthn/removal.ts";
import { factorsOf, isOn } from "./factors.ts";
import { tellRemoved } from "./mails.ts";
import type { ActInput, Owner } from "./owner.ts";
import { lastWay, planRemoval, typesOf } from "./removal.ts";
import { appEntry, appsOf, passkeyEntry, showDone, showFactors } from "./view.ts";
import { write } from "./write.ts";

/** The longest name of a factor, in characters. */
const MAX_NAME_LENGTH = 100;

/** Names an application. */
export async function renameFactor(
  ctx: RequestContext,
  owner: Owner,
  { fields, settings }: ActInput,
): Promise<Outcome | null> {
  const app = appsOf(owner).find(({ id }) => id === fields.id);
  if (!app) return await showFactors(ctx, owner, settings);
  const name = typeof fields.name === "string" ? fields.name.trim() : "";
  const fits = name !== "" && name.length <= MAX_NAME_LENGTH && name.isWellFormed() && !UNFIT_IN_NAMES.test(name);
  if (!fits) return await showFactors(ctx, owner, settings, { problem: "name" });
  if (!await write(ctx, owner, { put: [{ ...app, name }] })) return null;
  const factors = owner.factors.map((factor) => factor === app ? { ...app, name } : factor);
  return await showFactors(ctx, { ...owner, factors }, settings, { step: { kind: "list", isSaved: true } });
}

/** Finds a factor of somebody; `null` if it is none of theirs, or its removal has to be asked for elsewhere. */
export function findEntry(owner: Owner, { fields }: Pick<ActInput, "fields">): FactorEntry | null {
  const app = appsOf(owner).find(({ id }) => id === fields.id);
  if (app) return appEntry(app);
  const passkey = owner.passkeys.find(({ credentialID }) => credentialID === fields.id);
  return passkey ? passkeyEntry(passkey) : null;
}

/** Removes a factor. @returns `null` if somebody else has changed something meanwhile. */
export async function removeFactor(ctx: RequestContext, owner: Owner, input: ActInput): Promise<Outcome | null> {
  const { settings } = input;
  const { user } = owner;
  const entry = findEntry(owner, input);
  if (!entry) return await showFactors(ctx, owner, settings);
  const passkey = owner.passkeys.find(({ credentialID }) => credentialID === entry.id);
  if (passkey) return await removePasskey(ctx, { owner, passkey }, settings);
  const removal = planRemoval(owner.factors, { ids: [entry.id], passkeysLeft: owner.passkeys.length });
  if (!await write(ctx, owner, removal)) return null;
  const types = typesOf(removal);
  if (types.length > 0) await tellRemoved(ctx, { act: "removeFactor", user, types, by: "owner" });
  const factors = owner.factors.filter((factor) => !removal.remove.includes(factor));
  return await showDone(ctx, { ...owner, factors, isOn: isOn(factors) }, settings);
}

async function removePasskey(
  ctx: RequestContext,
  { owner, passkey }: { readonly owner: Owner; readonly passkey: AdapterAuthenticator },
  settings: ActInput["settings"],
): Promise<Outcome | null> {
  const { config } = ctx;
  const { user, active, expect } = owner;
  const ways = await findWays(config, user);
  const waiting = expect.records?.[0]?.id;
  const { kind } = await removeOwnPasskey(ctx, { user, active, expect, waiting, passkey, ways });
  if (kind === "last-way") throw lastWay();
  if (kind === "again") return null;
  const left = new Set((await factorsOf(config, user.id)).map(({ id }) => id));
  const factors = owner.factors.filter(({ id }) => left.has(id));
  const passkeys = owner.passkeys.filter((other) => other !== passkey);
  return await showDone(ctx, { ...owner, passkeys, factors, isOn: isOn(factors) }, settings);
}
