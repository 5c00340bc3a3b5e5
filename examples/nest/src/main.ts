import process from "node:process";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import { AppModule } from "./app.module.js";
import { auth } from "./auth.js";

// On Express by default. A site needs one of the two platforms only.
const app = process.env.PLATFORM === "fastify"
  ? await NestFactory.create(AppModule, new FastifyAdapter())
  : await NestFactory.create(AppModule);

app.use(auth.middleware);

const port = Number(process.env.PORT ?? 3000);
await app.listen(port);
process.stdout.write(`Open http://localhost:${port}\n`);
