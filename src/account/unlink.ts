import type { AccountActRows } from "./acts.ts";

/** The acts. */
export const UNLINKING_ACTS: AccountActRows = {};
