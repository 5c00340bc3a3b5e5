/**
 * The smallest program of each library, as text: it is started, and it is bundled.
 *
 * @module
 */
import type { SideName } from "./sides/side.ts";

const CLIENT = `{ clientId: "id", clientSecret: "secret" }`;
const SECRET = `"a random text of at least 32 characters"`;

/** Programs in JavaScript that export a `handler` with one provider, GitHub. */
export const PROGRAMS: Readonly<Record<SideName, string>> = {
  "@x/auth": `
    import { createAuth } from "@x/auth";
    import { github } from "@x/auth/providers/github";
    export const { handler } = createAuth({
      providers: [github(${CLIENT})], secret: ${SECRET}, trustHost: true, basePath: "/auth",
    });`,
  "@auth/core": `
    import { Auth } from "@auth/core";
    import github from "@auth/core/providers/github";
    const config = { providers: [github(${CLIENT})], secret: ${SECRET}, trustHost: true, basePath: "/auth" };
    export const handler = (request) => Auth(request, config);`,
  "better-auth": `
    import { betterAuth } from "better-auth/minimal";
    export const { handler } = betterAuth({
      secret: ${SECRET}, baseURL: "http://localhost", basePath: "/auth", socialProviders: { github: ${CLIENT} },
      logger: { disabled: true }, telemetry: { enabled: false },
    });`,
  "floor": `
    export const handler = (_request) => Promise.resolve(new Response("null"));`,
};

/** The path that answers with the session. */
export const SESSION_PATH: Readonly<Record<SideName, string>> = {
  "@x/auth": "/auth/session",
  "@auth/core": "/auth/session",
  "better-auth": "/auth/get-session",
  "floor": "/auth/session",
};
