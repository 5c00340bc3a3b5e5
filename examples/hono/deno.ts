/** Serves the application on Deno. */
import { app } from "./app.ts";

Deno.serve({ port: Number(Deno.env.get("PORT") ?? 3000) }, app.fetch);
