/** Makes the values of the release in whose folder it runs, and prints them as JSON. */
import process from "node:process";
import { createAuth } from "@x/auth";
import { makeValues } from "./values.ts";

const values = await makeValues((config) => createAuth(config).handler, process.argv.slice(2));
process.stdout.write(JSON.stringify(values, null, 1));
