/** Opens values, which are given as JSON, with the release in whose folder it runs. Prints the outcomes as JSON. */
import { readFileSync } from "node:fs";
import process from "node:process";
import { createAuth } from "@x/auth";
import { open, type Value } from "./values.ts";

const values = JSON.parse(readFileSync(0, "utf8")) as Value[];
const outcomes: string[] = [];
for (const value of values) outcomes.push(await open((config) => createAuth(config).handler, value, null));
process.stdout.write(JSON.stringify(outcomes));
