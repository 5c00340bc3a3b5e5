/**
 * Where a test replaces what surrounds a service. The symbol is in no configuration of a program that is not a test: only
 * `@x/auth/testing` has it.
 *
 * @module
 */
import type { Awaitable } from "../kernel/model.ts";
import type { Runtime } from "../kernel/runtime.ts";
import type { AuthConfig } from "./config.ts";

/** Name of the member of a configuration that holds a {@linkcode TestSetup}. */
export const testSetup: unique symbol = Symbol("test-setup");

/** What a service is made of in a test. */
export interface TestedSetup {
  readonly config: AuthConfig;
  readonly runtime: Runtime;
}

/**
 * Chooses what a service is made of in a test.
 *
 * @param config The configuration as the application wrote it.
 * @param usualPath The path of the service if neither `basePath` nor `AUTH_URL` names one.
 */
export type TestSetup = (config: AuthConfig, usualPath: string | undefined) => Awaitable<TestedSetup>;

/** A configuration that belongs to a test. */
export interface TestedConfig {
  readonly [testSetup]?: TestSetup;
}
