/**
 * Resolves a configuration. It is loaded with the first request.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import { type TestedConfig, type TestedSetup, testSetup } from "../contract/test_setup.ts";
import { passwordProviderOf } from "../config/password_provider.ts";
import { resolveConfig, type ResolvedConfig, withFeatures } from "../config/resolve.ts";
import type { Warning } from "../config/warning.ts";
import { noteCopy } from "../kernel/copies.ts";
import { once } from "../kernel/load.ts";
import type { Runtime } from "../kernel/runtime.ts";
import { createJwtStore } from "../session_stores/jwt_store.ts";
import type { SessionStore } from "../session_stores/session_store.ts";
import { type Configured, type LoggedOnce, MOST_WARNINGS, type Mount } from "./configured.ts";
import { defaultLimits, formerSessions, judged, stores } from "./late_modules.ts";

const explaining = once(() => import("./explained.ts"));

/** What a configuration is resolved with. */
export interface Surroundings {
  readonly runtime: Runtime;
  readonly mount: Mount | undefined;
  readonly logged: LoggedOnce;
}

/** Resolves a configuration, and logs the warnings about it. */
export async function setUp(written: AuthConfig, { mount, logged, ...usual }: Surroundings): Promise<Configured> {
  noteCopy();
  const { config: given, runtime } = await surroundingsOf(written, usual.runtime, mount);
  // Both at once: what an adapter needs is loaded in any case.
  const loads = [resolveConfig(given, runtime, mount?.basePath), given.adapter ? stores() : null] as const;
  const [resolved] = await Promise.all(loads);
  const config = await withDefaults(resolved);
  const warn = (warning: Warning, most?: number) =>
    warnOnce(warning, { logger: config.logger, warned: logged.warned, most });
  for (const warning of config.warnings) warn(warning);
  const report: Configured["report"] = async (problems, subject) => {
    for (const problem of problems) {
      const last = logged.reported.get(problem.message);
      if (last !== undefined && runtime.now() - last < REMINDER) continue;
      logged.reported.set(problem.message, runtime.now());
      config.logger.error(await (await explaining()).explained(problem, runtime, mount), subject);
    }
  };
  return { config, sessions: await sessionStoreOf(config), warn, report };
}

async function surroundingsOf(
  config: AuthConfig,
  runtime: Runtime,
  mount: Mount | undefined,
): Promise<TestedSetup> {
  return await (config as TestedConfig)[testSetup]?.(config, mount?.basePath) ?? { config, runtime };
}

// What can be guessed is limited, also where nobody has thought of it.
async function withDefaults(config: ResolvedConfig): Promise<ResolvedConfig> {
  const { features, providers } = config;
  const sendsCodes = [...providers.values()].some((provider) => {
    return provider.type === "email" && provider.generateVerificationToken;
  });
  const comparesCodes = sendsCodes || features.some(({ id }) => id === "second-factor");
  const hasPasswords = passwordProviderOf(config) !== null;
  if (!(comparesCodes || hasPasswords) || features.some(({ id }) => id === "limits")) return config;
  const { limitsByDefault, limitsWithPasswords } = await defaultLimits();
  const limits = hasPasswords ? limitsWithPasswords : limitsByDefault;
  return Object.freeze({ ...config, ...withFeatures([...features, limits]) });
}

/** Milliseconds after which a problem that is still there is logged again. */
const REMINDER = 60_000;

interface WarningLog extends Pick<ResolvedConfig, "logger"> {
  readonly warned: Set<string>;
  readonly most?: number | undefined;
}

function warnOnce([code, message]: Warning, { logger, warned, most = MOST_WARNINGS }: WarningLog): void {
  const line = `${code}: ${message}`;
  if (warned.has(line) || warned.size > MOST_WARNINGS) return;
  if ([...warned].filter((known) => known.startsWith(`${code}: `)).length >= most) return;
  warned.add(line);
  logger.warn(code, message);
}

async function sessionStoreOf(config: ResolvedConfig): Promise<SessionStore> {
  const { storage, session: { strategy, revalidate, migrateFrom } } = config;
  const rows = storage && revalidate ? (await stores()).createSealedRows(config, storage) : null;
  const own = storage && strategy === "database"
    ? (await stores()).createDatabaseStore(config, storage)
    : createJwtStore(config, rows);
  const all = migrateFrom ? (await formerSessions()).createFormerStore(config, migrateFrom, own, rows) : own;
  const isJudged = config.actsAt.has("mint") || config.actsAt.has("continues");
  return isJudged ? await (await judged()).judgingSessions(config, all) : all;
}
