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

// Says all that is wrong before the first visitor comes, and goes on: a provider may be down for a moment.
await auth.check().catch(({ message }) => process.stderr.write(`${message}\n`));

const port = Number(process.env.PORT ?? 3000);
await app.listen(port);
process.stdout.write(`Open http://localhost:${port}\n`);
