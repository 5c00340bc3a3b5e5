/**
 * Removing an account at a provider.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import { once } from "../kernel/load.ts";
import type { AdapterAccount, AdapterUser } from "../kernel/model.ts";
import type { AccountStep } from "../request/account_views.ts";
import type { RequestContext } from "../request/context.ts";
import { tell } from "../request/events.ts";
import { requireStorage } from "../request/require_storage.ts";
import { endOthersOf } from "../session/end_of_user.ts";
import type { Actor } from "../sign_in/actor.ts";
import { isNewAccount } from "../sign_in/added_account.ts";
import { commitAbout } from "../sign_in/commit_about.ts";
import { accountWay, canRemove, findOwned, type Way, waysOf } from "../sign_in/ways.ts";
import type { AccountActRows, ActInput, ActResult } from "./acts.ts";
import { findNamed } from "./ids.ts";
import { mailTo } from "./mails.ts";
import { accountShown } from "./overview.ts";
import { keepRemoved } from "./removed.ts";

const tokens = once(() => import("../logout/tokens.ts"));

/** The acts. */
export const UNLINKING_ACTS = {
  unlink: { judged: "unlinkAccount", open: openUnlink, run: unlink },
} as const satisfies AccountActRows;

interface Found {
  readonly account: AdapterAccount;
  readonly ways: readonly Way[];
}

/** Finds the account that a form names. `null` if there is none, or it is not for its owner to remove. */
async function find(config: ResolvedConfig, user: AdapterUser, id: unknown): Promise<Found | null> {
  const owned = await findOwned(config, user);
  const account = await findNamed(config, owned.accounts ?? [], id);
  if (!account) return null;
  const ways = waysOf(config, owned);
  return (await accountShown(config, account, ways)).removal === "kept" ? null : { account, ways };
}

async function openUnlink(
  { config }: RequestContext,
  { user }: Actor,
  { fields }: ActInput,
): Promise<AccountStep | null> {
  const found = await find(config, user, fields.id);
  return found && { kind: "unlink", way: await accountShown(config, found.account, found.ways) };
}

async function unlink(ctx: RequestContext, actor: Actor, { fields }: ActInput): Promise<ActResult> {
  const { config } = ctx;
  const { user } = actor;
  const found = await find(config, user, fields.id);
  if (!found) return { kind: "problem", problem: "not-found" };
  const { account, ways } = found;
  const other = canRemove(ways, [accountWay(account)]);
  if (!other) return { kind: "problem", problem: "last-way" };
  const { provider, providerAccountId } = account;
  // A thief may have added it, and the email must not invite its owner to bring it back.
  const kept = await isNewAccount(config, account) ? null : keepRemoved(ctx, user.id, { account });
  const result = await commitAbout(config, user, {
    unlinkAccount: { provider, providerAccountId, userId: user.id },
    ...(kept && { records: { put: [kept.record] } }),
    // The other way too, so that of two that are removed at once one stays.
    expect: { ...actor.expect, ...other.expect },
  });
  if (result !== "done") return { kind: "again" };
  try {
    // A session may have begun with the account, in the hands of whoever has it.
    await endOthersOf(ctx, actor);
  } finally {
    await tellUnlinked(ctx, user, account);
    const mail = mailTo(ctx, { act: "unlinkAccount", user, provider, makeUndo: kept?.makeUndo });
    await Promise.all([revoke(ctx, account), mail]);
  }
  // Whoever has it may have linked it again before their session ended.
  const owner = await requireStorage(ctx).getUserByAccount({ provider, providerAccountId });
  return { kind: owner?.id === user.id ? "again" : "done" };
}

async function tellUnlinked(
  ctx: RequestContext,
  user: AdapterUser,
  { provider, providerAccountId, type }: AdapterAccount,
): Promise<void> {
  await tell(ctx.config, {
    type: "accountUnlinked",
    event: () => ({ userId: user.id, provider }),
    // Its tokens are nobody's any more.
    message: () => ({ user, account: { provider, providerAccountId, type } }),
  }, ctx);
}

/** Asks the provider to revoke the tokens. They are in no storage any more, so whether it does changes nothing here. */
async function revoke(ctx: RequestContext, account: AdapterAccount): Promise<void> {
  const provider = ctx.config.providers.get(account.provider);
  if (provider?.type !== "oauth" && provider?.type !== "oidc") return;
  await (await tokens()).revokeTokensOf(ctx, provider, account);
}
