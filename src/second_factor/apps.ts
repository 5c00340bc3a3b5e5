/**
 * Adds an application that shows codes.
 *
 * @module
 */
import { BadRequest } from "../kernel/errors.ts";
import type { RequestContext } from "../request/context.ts";
import type { FactorsStep } from "../request/factor_views.ts";
import type { Outcome } from "../request/outcome.ts";
import { countedCodes, type Factor, newFactorId, openSecret, sealSecret, type TotpFactor } from "./factors.ts";
import { beginCodes } from "./codes.ts";
import { guess } from "./guess.ts";
import { tellAdded } from "./mails.ts";
import { type ActInput, begunFactor, DRAFT_LIFETIME, type Owner } from "./owner.ts";
import { qrOf } from "./qr.ts";
import type { SecondFactorSettings } from "./settings.ts";
import { fromBase32, SECRET_LENGTH, stepOf, toBase32, totpUri } from "./totp.ts";
import { readTotpCode } from "./totp_proof.ts";
import { appsOf, hasWorkedIn, showDone, showFactors } from "./view.ts";
import { endOtherSessions, write } from "./write.ts";

/** The most applications of a user: each makes a code easier to guess. */
const MOST_APPS = 10;

/** Makes a secret. The form has no say in it: one that somebody else knows would let them in. */
export async function beginApp(ctx: RequestContext, owner: Owner, { settings }: ActInput): Promise<Outcome | null> {
  if (!settings.methods.includes("totp")) {
    throw new BadRequest("Cannot add an application: `methods` of `secondFactor` does not have `totp`");
  }
  if (appsOf(owner).length >= MOST_APPS) throw new BadRequest(`Cannot add an application: there are ${MOST_APPS}`);
  const { config } = ctx;
  const id = newFactorId(config);
  const secret = toBase32(config.runtime.random(new Uint8Array(SECRET_LENGTH)));
  const app: TotpFactor = {
    ...begunFactor(config, owner, id),
    type: "totp",
    name: null,
    sealed: await sealSecret(config, id, secret),
    lastStep: null,
  };
  const others = owner.factors.filter((other) => isUnused(other, owner));
  if (!await write(ctx, owner, { put: [app], remove: others })) return null;
  return await showFactors(ctx, owner, settings, { step: await setupOf(ctx, owner, { id, secret, settings }) });
}

// What was begun before in this browser, and of all others as much as is too much.
function isUnused({ type, draft, createdAt }: Factor, { browser, factors }: Owner): boolean {
  if (type !== "totp" || !draft) return false;
  if (draft.boundTo === browser) return !draft.hasWorked;
  return factors.filter((other) => other.draft && other.createdAt > createdAt).length >= MOST_APPS;
}

interface Setup {
  readonly id: string;
  readonly secret: string;
  readonly settings: SecondFactorSettings;
}

async function setupOf(
  { config, url }: RequestContext,
  { user }: Owner,
  { id, secret, settings }: Setup,
): Promise<FactorsStep> {
  const issuer = settings.issuer ?? (config.theme.name || url.host);
  const account = user.email || user.name || user.id;
  // Applications show a line of it, and a QR code holds 2331 bytes.
  const uri = totpUri({ secret, issuer: shortened(issuer), account: shortened(account) });
  const setup = { id, secret: (secret.match(/.{1,4}/g) ?? []).join(" "), uri, qr: await qrOf(uri) };
  return { kind: "totp", setup };
}

function shortened(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").slice(0, 100).toWellFormed();
}

/** Takes the first code of an application. */
export async function confirmApp(ctx: RequestContext, owner: Owner, input: ActInput): Promise<Outcome | null> {
  const { fields, settings } = input;
  const app = owner.factors.find((factor): factor is TotpFactor => {
    return factor.type === "totp" && factor.id === fields.id && factor.draft?.boundTo === owner.browser;
  });
  const secret = app && await openSecret(ctx.config, app);
  const bytes = secret ? fromBase32(secret) : null;
  if (!app || !secret || !bytes) return await showFactors(ctx, owner, settings, { problem: "expired" });
  // A second press of the button.
  if (hasWorkedIn(app, owner.browser) && !owner.isOn) return await beginCodes(ctx, owner, input);
  const step = async () => await setupOf(ctx, owner, { id: app.id, secret, settings });
  const now = ctx.config.runtime.now();
  return await guess(ctx, owner, {
    settings,
    step,
    compare: async () => {
      const code = typeof fields.code === "string" ? readTotpCode(fields.code) : null;
      return code === null ? null : await stepOf(bytes, code, { now, after: app.lastStep });
    },
    right: async (lastStep) => {
      const { draft, ...counted } = app;
      const usedAt = Math.floor(now / 1000);
      if (owner.isOn) {
        return await addApp(ctx, owner, { ...input, app: { ...counted, lastStep, usedAt, isConfirmed: true } });
      }
      const boundTo = draft?.boundTo ?? owner.browser;
      const worked: TotpFactor = {
        ...app,
        lastStep,
        usedAt,
        draft: { boundTo, expires: now + DRAFT_LIFETIME, hasWorked: true },
      };
      if (!await write(ctx, owner, { put: [worked] })) return null;
      const factors = owner.factors.map((factor) => factor === app ? worked : factor);
      // Its version has changed, so it is read again before anything is written of it.
      return await beginCodes(ctx, { ...owner, factors }, input);
    },
  });
}

// The record of the codes is written again as it is: whoever turns it all off at the same time is noticed.
async function addApp(
  ctx: RequestContext,
  owner: Owner,
  { app, fields, settings }: ActInput & { readonly app: TotpFactor },
): Promise<Outcome | null> {
  const codes = countedCodes(owner.factors);
  if (!fields.keepSessions) await endOtherSessions(ctx, owner);
  if (!await write(ctx, owner, { put: codes ? [codes, app] : [app] })) return null;
  await tellAdded(ctx, { act: "addTotp", user: owner.user, undo: [app.id] }, ["totp"]);
  const factors = [...owner.factors.filter(({ id }) => id !== app.id), app];
  return await showDone(ctx, { ...owner, factors }, settings);
}
