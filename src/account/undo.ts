import type { AccountActRows } from "./acts.ts";

/** The acts. */
export const UNDO_ACTS: AccountActRows = {};
