/** Prints what the release in whose folder it runs stores, as lines in JSON. */
import process from "node:process";
import { layoutLines } from "./layouts.ts";

process.stdout.write(JSON.stringify(await layoutLines()));
