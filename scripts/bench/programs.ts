/**
 * The smallest service of each library, as text: what starts and what is bundled.
 *
 * @module
 */
import type { SideName } from "./sides/side.ts";

const CLIENT = `{ clientId: "id", clientSecret: "secret" }`;
const SECRET = `"a random text of at least 32 characters"`;

/** Programs that export `handler`; the library and one provider, GitHub. JavaScript, which runs everywhere as it is. */
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

/** Where a session is asked for. */
export const SESSION_PATH: Readonly<Record<SideName, string>> = {
  "@x/auth": "/auth/session",
  "@auth/core": "/auth/session",
  "better-auth": "/auth/get-session",
  "floor": "/auth/session",
};
