/** Tells the stories of the wire with the release in whose folder it runs, and prints the lines as JSON. */
import process from "node:process";
import { createAuth } from "@x/auth";
import { tellStories } from "./facts.ts";

process.stdout.write(JSON.stringify(await tellStories((config) => createAuth(config).handler, null)));
