/** Every act of the account page, for everybody who may come: as a script and on the page, in memory and in SQLite. */
import { describe } from "node:test";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { testActs } from "../_support/account_acts.ts";

describe("in memory", () => testActs(() => memoryAdapter(), "database"));

describe("in SQLite", () => testActs(() => sqliteAdapter(":memory:"), "jwt"));
