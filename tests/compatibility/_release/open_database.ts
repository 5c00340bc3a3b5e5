/** Opens values, which are given as JSON, in a database with the release in whose folder it runs. Prints the outcomes. */
import { readFileSync } from "node:fs";
import process from "node:process";
import { createAuth } from "@x/auth";
import { openIn, type Store } from "./databases.ts";
import type { Value } from "./values.ts";

const [store = "", path = ""] = process.argv.slice(-2);
const values = JSON.parse(readFileSync(0, "utf8")) as Value[];
const outcomes: string[] = [];
for (const value of values) {
  outcomes.push(await openIn((config) => createAuth(config).handler, store as Store, path, value, null));
}
process.stdout.write(JSON.stringify(outcomes));
