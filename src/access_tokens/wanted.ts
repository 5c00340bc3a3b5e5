/**
 * What a caller wants.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { LogSubject } from "../kernel/log_subject.ts";
import type { Storage } from "../storage/guard.ts";

/** An access token that a caller wants, and where it comes from. */
export interface Wanted {
  readonly config: ResolvedConfig;
  readonly provider: ResolvedOAuthProvider;
  readonly storage: Storage;
  readonly userId: string;
  /** An access token that is of no use any more, whenever it expires. */
  readonly refused: string | undefined;
  /** The request that asks for it, for the log. */
  readonly subject?: LogSubject | undefined;
}
