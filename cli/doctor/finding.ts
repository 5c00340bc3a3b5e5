/**
 * What the doctor says.
 *
 * @module
 */

/** How bad it is: an error breaks sign-ins or protects nobody, a warning may, and a note is good to know. */
export type Level = "error" | "warning" | "note";

/** Something that is wrong with a site. */
export interface Finding {
  /** Its name, which does not change. */
  readonly id: string;
  /** How bad it is. */
  readonly level: Level;
  /** What was seen. */
  readonly says: string;
  /** What to do. */
  readonly fix: string;
}

/** A URL that has to be registered at a provider. */
export interface CallbackUrl {
  /** Id of the provider. */
  readonly provider: string;
  /** The URL, as the site sends it or lists it. */
  readonly url: string;
}

/** What the doctor has found. */
export interface DoctorReport {
  /** The version of this form. */
  readonly version: 1;
  /** The origin that was asked. */
  readonly site: string;
  /** The path of the service; `null` if none was found. */
  readonly basePath: string | null;
  /** What is wrong, the worst first. */
  readonly findings: readonly Finding[];
  /** What to register at the providers. */
  readonly callbacks: readonly CallbackUrl[];
  /** How many requests were sent. */
  readonly requests: number;
}

/** What the doctor is asked for. */
export interface DoctorOptions {
  /** Whether to send the authorization request of each provider to it, without signing in. @default {true} */
  readonly providers?: boolean | undefined;
  /** The code that the log of the site has, to also get what `auth.check()` finds. Only in development. */
  readonly code?: string | undefined;
  /** Where the site answers by http. @default port 80 of the same host */
  readonly http?: string | undefined;
  /** Seconds that a request may take. @default {10} */
  readonly timeout?: number | undefined;
  /** Told what is asked next, and how many requests were sent. */
  readonly progress?: ((requests: number, what: string) => void) | undefined;
}
