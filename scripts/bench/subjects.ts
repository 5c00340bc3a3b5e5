/**
 * The two services, configured alike.
 *
 * @module
 */
import { Auth } from "@auth/core";
import coreCredentials from "@auth/core/providers/credentials";
import coreGitHub from "@auth/core/providers/github";
import { createAuth } from "@x/auth";
import { credentials } from "@x/auth/providers/credentials";
import { github } from "@x/auth/providers/github";
import type { Subject } from "./measure.ts";

/** The secret of both: each opens what the other sealed. */
export const SECRET = "a random text of at least 32 characters";

const client = { clientId: "id", clientSecret: "secret" };
const ada = { id: "1", name: "Ada", email: "ada@example.com" };
const fields = { username: { label: "Name" }, password: { label: "Password", type: "password" } };
const logger = { error: () => {}, warn: () => {}, debug: () => {} };
const common = { secret: SECRET, trustHost: true, basePath: "/auth", logger };

const { handler } = createAuth({
  ...common,
  providers: [github(client), credentials({ credentials: fields, authorize: () => ada })],
});

const coreConfig = {
  ...common,
  providers: [coreGitHub(client), coreCredentials({ credentials: fields, authorize: () => ada })],
};

/** What is compared. */
export const subjects: Readonly<Record<"ours" | "theirs", Subject>> = {
  ours: { name: "@x/auth", answer: (request) => handler(request) },
  theirs: { name: "@auth/core", answer: (request) => Auth(request, coreConfig) },
};
