/**
 * The members of the option `protect`.
 *
 * @module
 */
import type { ProtectOptions } from "../contract/config.ts";
import { anything } from "./kinds.ts";
import type { Rows } from "./rows.ts";

/** The members of `protect`, where it is not a list. Its kind looks at them. */
export const PROTECT = {
  routes: { kind: anything },
  ignoreCase: { kind: anything, otherwise: true },
  level: { kind: anything, otherwise: 1 },
  maxAge: { kind: anything },
  methods: { kind: anything },
} satisfies Rows<ProtectOptions>;
