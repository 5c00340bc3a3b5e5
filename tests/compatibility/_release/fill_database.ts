/** Fills a database with the release in whose folder it runs: which store, and where. Prints the values as JSON. */
import process from "node:process";
import { createAuth } from "@x/auth";
import { fillDatabase, type Store } from "./databases.ts";

const [store = "", path = ""] = process.argv.slice(-2);
const values = await fillDatabase((config) => createAuth(config).handler, store as Store, path);
process.stdout.write(JSON.stringify(values, null, 1));
