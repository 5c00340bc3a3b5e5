/** Serves the application on Node. */
import process from "node:process";
import { serve } from "@hono/node-server";
import { app } from "./app.ts";

const port = Number(process.env.PORT ?? 3000);
serve({ fetch: app.fetch, port }, () => process.stdout.write(`Open http://localhost:${port}\n`));
