import type { Mutant } from "./_mutant.ts";

const MOUNTED = ["tests/stories/mistakes/mounted_test.ts"];
const ORIGIN = ["tests/stories/mistakes/origin_test.ts"];
const RUN_TIME = ["tests/stories/mistakes/run_time_test.ts"];
const ORDER = ["tests/stories/mistakes/out_of_order_test.ts"];

/** Where the service is mounted and reached, and what it depends on. */
export const places: readonly Mutant[] = [
  {
    name: "PLC-1: strangers fill the log with places that they make up",
    file: "src/service/setup.ts",
    find: "known.startsWith(`${code}: `)).length >= most) return;",
    replace: "known.startsWith(`${code}: `)).length < 0) return;",
    tests: MOUNTED,
  },
  {
    name: "PLC-1: whatever a stranger asks for is told",
    file: "src/service/error_outcomes.ts",
    find: "return PLACE.test(place) ?",
    replace: "return place ?",
    tests: MOUNTED,
  },
  {
    name: "PLC-1: every unknown provider of a callback URL is told",
    file: "src/service/error_outcomes.ts",
    find: 'ctx.warn?.(["callback-provider-unknown", unlisted], MOST_BY_STRANGERS);',
    replace: 'ctx.warn?.(["callback-provider-unknown", unlisted]);',
    tests: RUN_TIME,
    only: "at most four unknown providers",
  },
  {
    name: "PLC-1: an unknown provider of a callback URL is told as a stranger wrote it",
    file: "src/service/error_outcomes.ts",
    find: "path.provider === null || !/^[\\w.~-]{1,64}$/.test(path.provider)",
    replace: "path.provider === null",
    tests: RUN_TIME,
    only: "at most four unknown providers",
  },
  {
    name: "PLC-1: every host that a stranger writes for a proxy is told",
    file: "src/service/configure.ts",
    find: "isProxyTold = true;",
    replace: "",
    tests: RUN_TIME,
    only: "told once",
  },
  {
    name: "PLC-1: every address without passkeys is told",
    file: "src/request/origin_advice.ts",
    find: "do not work at ${at}: ${problem}`], MOST_BY_STRANGERS);",
    replace: "do not work at ${at}: ${problem}`]);",
    tests: RUN_TIME,
    only: "at most four addresses",
  },
  {
    name: "PLC-2: an origin of any length is written into the log",
    file: "src/request/origin_advice.ts",
    find: "return url.origin.length > LONGEST ? null : url.origin;",
    replace: "return url.origin;",
    tests: ORIGIN,
  },
  {
    name: "PLC-3: a provider has http on any host although nobody allowed it",
    file: "src/config/provider_rules.ts",
    find: "isSecureUrl(url, provider.allowInsecureRequests === true)",
    replace: "isSecureUrl(url, provider.allowInsecureRequests !== null)",
    tests: ORDER,
  },
  {
    name: "PLC-3: FAPI 2.0 goes without encryption",
    file: "src/config/provider_rules.ts",
    find: "if (allowInsecureRequests && securityProfile) {",
    replace: 'if (allowInsecureRequests && id === "") {',
    tests: ORDER,
  },
  {
    name: "PLC-3: requests of every provider go without encryption",
    file: "src/oauth_client/outbound.ts",
    find: "allowInsecureRequests = false }",
    replace: "allowInsecureRequests = true }",
    tests: ["tests/unit/oauth_client/outbound_test.ts"],
  },
  {
    name: "PLC-4: two requests share one connection, and their transactions",
    file: "adapters/sql/postgres_by_pg.ts",
    find: 'if ("connectionParameters" in pool) throw',
    replace: "if (pool === null) throw",
    tests: ["tests/unit/adapters/sql/postgres_driver_test.ts"],
  },
  {
    name: "PLC-4: requests share a transaction of Kysely",
    file: "adapters/sql/postgres_by_kysely.ts",
    find: "if (given.isTransaction) throw",
    replace: "if (given === null) throw",
    tests: ["tests/unit/adapters/sql/postgres_driver_test.ts"],
  },
  {
    name: "PLC-4: a connection without transactions is used",
    file: "adapters/sql/postgres_driver.ts",
    find: "if (isNeonHttp(driver)) throw",
    replace: "if (driver === null) throw",
    tests: ["tests/unit/adapters/sql/postgres_driver_test.ts"],
  },
];
