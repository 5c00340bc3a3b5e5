import { clientProblems } from "../../src/config/check_client.ts";
import type { ResolvingParts } from "../../src/config/resolve.ts";
import { guardAdapter } from "../../src/storage/guard.ts";
import * as mistakes from "../../src/config/mistakes.ts";
import * as webauthn from "../../src/config/webauthn.ts";

/** All that a configuration may need. */
export const ALL_PARTS: ResolvingParts = { guardAdapter, clientProblems, webauthn, mistakes };
