/** Serves the application on Bun. */
import process from "node:process";
import { app } from "./app.ts";

export default { fetch: app.fetch, port: Number(process.env.PORT ?? 3000) };
