/**
 * Issuers of Microsoft that stand for many tenants. Each id_token names the issuer of its own tenant.
 *
 * @module
 * @see {@link https://learn.microsoft.com/en-us/entra/identity-platform/access-tokens#validate-the-issuer | Validate the issuer}
 */

/** An issuer for many tenants: its origin, and which accounts it admits. */
const SHARED_ISSUER = /^(https:\/\/[^/]+)\/(common|organizations|consumers)\/v2\.0\/?$/;

/** The tenant of all personal accounts. */
const PERSONAL = "9188040d-6c67-4c5b-b112-36a304b66dad";

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** An issuer of Microsoft: which accounts it admits, or the id of its tenant. */
const MICROSOFT = /^https:\/\/[^/]+\/([^/]+)\/v2\.0\/?$/;

/** Gives the issuer that an id_token must have, by its claim `tid`, or nothing if the tenant is not admitted. */
export type IssuerOfTenant = (claims: Readonly<Record<string, unknown>>) => string | undefined;

/** Gives the rule of an issuer that stands for many tenants, or `null` if it is that of one tenant. */
export function issuerOfTenant(issuer: string | undefined): IssuerOfTenant | null {
  const [, origin, audience = ""] = SHARED_ISSUER.exec(issuer ?? "") ?? [];
  if (origin === undefined) return null;
  return ({ tid }) =>
    typeof tid === "string" && UUID.test(tid) && admits(audience, tid) ? `${origin}/${tid}/v2.0` : undefined;
}

function admits(audience: string, tid: string): boolean {
  return audience === "common" || (audience === "consumers") === (tid.toLowerCase() === PERSONAL);
}

/** Whether an issuer of Microsoft stands for one tenant or for many; `null` if it is not of Microsoft. */
export function tenancyOf(issuer: string | undefined): "one" | "many" | null {
  if (issuerOfTenant(issuer)) return "many";
  const [, tenant = ""] = MICROSOFT.exec(issuer ?? "") ?? [];
  if (!UUID.test(tenant)) return null;
  // Everybody can open a personal account, so that tenant is shared.
  return tenant.toLowerCase() === PERSONAL ? "many" : "one";
}
