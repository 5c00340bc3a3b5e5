import { createServer } from "node:http";
import process from "node:process";
import { createQwikCity } from "@builder.io/qwik-city/middleware/node";
import qwikCityPlan from "@qwik-city-plan";
import render from "./entry.ssr.tsx";

const { router, notFound, staticFile } = createQwikCity({
  render,
  qwikCityPlan,
  // Forms are compared with it. Without it the `Host` header decides.
  origin: process.env.AUTH_URL && new URL(process.env.AUTH_URL).origin,
});

const server = createServer((request, response) => {
  staticFile(request, response, () => router(request, response, () => notFound(request, response, () => {})));
});

const port = Number(process.env.PORT ?? 3000);
server.listen(port, () => process.stdout.write(`Open http://localhost:${port}\n`));
