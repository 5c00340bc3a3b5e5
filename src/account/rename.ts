/**
 * Changing one's name.
 *
 * @module
 */
import type { AdapterUser } from "../kernel/model.ts";
import { UNFIT_IN_NAMES } from "../kernel/names.ts";
import type { RequestContext } from "../request/context.ts";
import { tell } from "../request/events.ts";
import { requireStorage } from "../request/require_storage.ts";
import type { Actor } from "../sign_in/actor.ts";
import { commitAbout } from "../sign_in/commit_about.ts";
import type { AccountActRows, ActInput, ActResult } from "./acts.ts";

/** The longest name, in characters. */
const LONGEST_NAME = 256;

/** The acts. */
export const RENAMING_ACTS = {
  rename: {
    judged: "renameAccount",
    open: (_ctx, _actor, { settings }) => Promise.resolve(settings.name ? { kind: "rename" } : null),
    run: rename,
  },
} as const satisfies AccountActRows;

async function rename(ctx: RequestContext, actor: Actor, { fields, settings }: ActInput): Promise<ActResult> {
  const name = settings.name ? readName(fields.name) : null;
  if (name === null) return { kind: "problem", problem: "name", step: { kind: "rename" } };
  const { user } = actor;
  if (name === user.name) return { kind: "done" };
  if (!await write(ctx, actor, name)) return { kind: "again" };
  const changed: AdapterUser = { ...user, name };
  await tell(ctx.config, {
    type: "userChanged",
    event: () => ({ userId: user.id }),
    message: () => ({ user: changed }),
  }, ctx);
  return { kind: "done" };
}

/** Reads a name as somebody typed it; `null` if it cannot be one. */
export function readName(typed: unknown): string | null {
  const name = typeof typed === "string" ? typed.trim().replace(/\s+/g, " ").normalize() : "";
  const isName = name !== "" && name.length <= LONGEST_NAME && name.isWellFormed() && !UNFIT_IN_NAMES.test(name);
  return isName ? name : null;
}

async function write(ctx: RequestContext, { user, expect }: Actor, name: string): Promise<boolean> {
  const storage = requireStorage(ctx);
  const changes = { id: user.id, name };
  if (storage.commit) return await commitAbout(ctx.config, user, { updateUser: changes, expect }) === "done";
  if (await commitAbout(ctx.config, user, { expect }) !== "done") return false;
  await storage.updateUser(changes);
  return true;
}
