/**
 * What the application sees and changes of the second factors of its users.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { UserFactor } from "../request/factor_views.ts";
import type { FactorsAdministration, FactorsWithout, FactorToRemove, RecoveryCodes } from "../request/points.ts";
import { requireStorage } from "../request/require_storage.ts";
import { countedCodes, factorsOf } from "./factors.ts";
import { tellRemoved } from "./mails.ts";
import { passkeysOf } from "./passkey.ts";
import { planRemoval, removePasskey, removeRecords, typesOf } from "./removal.ts";
import type { SecondFactorSettings } from "./settings.ts";
import { dateOf, passkeyEntry } from "./view.ts";
import { planOf } from "./write.ts";

/** Makes what the application does about second factors. */
export function administrationOf(settings: SecondFactorSettings): FactorsAdministration {
  return {
    list: (config, userId) => listFactors(config, userId, settings),
    remove: (config, which) => removeFactor(config, which, settings),
    withoutPasskey: (config, userId, credentialID) => withoutPasskey(config, { userId, credentialID }, settings),
    recoveryCodes: codesOf,
  };
}

async function listFactors(
  config: ResolvedConfig,
  userId: string,
  settings: SecondFactorSettings,
): Promise<readonly UserFactor[]> {
  const counted = (await factorsOf(config, userId)).filter(({ isConfirmed }) => isConfirmed);
  const factors = counted.map((factor): UserFactor => ({
    id: factor.id,
    type: factor.type,
    name: factor.type === "totp" ? factor.name : null,
    createdAt: dateOf(factor.createdAt),
    usedAt: dateOf(factor.usedAt),
  }));
  return [...factors, ...(await passkeysOf(config, userId, settings)).map(passkeyEntry)];
}

async function codesOf(config: ResolvedConfig, userId: string): Promise<RecoveryCodes | null> {
  const codes = countedCodes(await factorsOf(config, userId));
  return codes && { left: Object.keys(codes.hashes).length, createdAt: dateOf(codes.createdAt) };
}

async function withoutPasskey(
  config: ResolvedConfig,
  { userId, credentialID }: { readonly userId: string; readonly credentialID: string },
  settings: SecondFactorSettings,
): Promise<FactorsWithout | null> {
  const passkeys = await passkeysOf(config, userId, settings);
  if (!passkeys.some((passkey) => passkey.credentialID === credentialID)) return null;
  const factors = await factorsOf(config, userId);
  const { put, remove } = planRemoval(factors, { ids: [], passkeysLeft: passkeys.length - 1 });
  const codes = countedCodes(factors);
  // Written again as they are, so that whoever removes another factor at the same time is noticed.
  const again = remove.length === 0 && codes ? [codes] : put;
  const { records, expect } = planOf({ put: again, remove });
  return { records: records ?? {}, expect: expect.records, types: ["passkey", ...typesOf({ remove })] };
}

async function removeFactor(
  config: ResolvedConfig,
  { userId, id, subject }: FactorToRemove,
  settings: SecondFactorSettings,
): Promise<boolean> {
  const user = await requireStorage({ config }).getUser(userId);
  const found = (await listFactors(config, userId, settings)).find((factor) => factor.id === id);
  if (!user || !found) return false;
  const passkeysLeft = (await passkeysOf(config, userId, settings)).length;
  const types = found.type === "passkey"
    ? await removePasskey(config, { user, id, subject })
    : await removeRecords(config, { user, ids: [id], passkeysLeft });
  // Somebody else has removed it meanwhile.
  if (types.length === 0) return false;
  await tellRemoved({ config }, { act: "removeFactor", user, types, by: "application", subject });
  return true;
}
