/** The stories that hold in every framework. They know nothing of it but the pages that all examples have. */
import { doctor } from "./_stories_doctor.ts";
import { guards } from "./_stories_guards.ts";
import { refusals } from "./_stories_refusals.ts";
import { sessions } from "./_stories_sessions.ts";
import { signIns } from "./_stories_sign_ins.ts";
import type { Story } from "./_words.ts";

export type { Story };

export const STORIES: readonly Story[] = [...signIns, ...guards, ...sessions, ...refusals, ...doctor];

/** Those that are told again where the service is at another path, or the application below a prefix. */
export const MOVED: readonly Story[] = [...signIns, ...guards];
