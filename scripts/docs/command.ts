/**
 * Makes docs/command.md: the command and its subcommands. `doctor.ts` writes it.
 *
 * @module
 */
import { DOCTOR_HELP } from "../../cli/doctor/command.ts";
import { SCHEMA_HELP } from "../../cli/schema/command.ts";
import { SESSION_HELP, TEST_SESSION_HELP } from "../../cli/session/command.ts";
import { SECRET_VARIABLES } from "../../cli/session/secrets.ts";
import { EXIT_CODES } from "../../cli/terminal/exit_codes.ts";
import { formatted } from "../provider_docs.ts";

const SECRETS = SECRET_VARIABLES.join(",");

const PAGE = `# The command

\`npx @x/auth\` is a command of this package. It does not load your application, so it works with every framework and
every bundler. What needs your configuration runs inside the application, as
[\`auth.check()\`](./deploying.md#check-before-the-first-visitor).

| Command | What it does | What Deno has to allow |
| --- | --- | --- |
| [\`doctor\`](#doctor) | asks a running site what is wrong with its sign-in | \`--allow-net\` |
| [\`schema\`](#schema) | prints the tables | nothing |
| [\`secret\`](#secret) | prints a new secret | nothing |
| [\`session\`](#session) | says what is in a session cookie, or why it is refused | \`--allow-env=${SECRETS}\` |
| [\`test-session\`](#test-session) | makes a session cookie for tests in a browser | \`--allow-env\` of those, NODE_ENV, DENO_ENV and AUTH_URL |

With Deno it is \`deno run jsr:@x/auth/cli\`, with these permissions. Each has \`--help\` and \`--json\`, and each is a
function of \`@x/auth/cli\`, too. It sends nothing anywhere but what \`doctor\` asks.

## Exit codes

| Exit code | Meaning |
| --- | --- |
| ${EXIT_CODES.sound} | sound, or notes only |
| ${EXIT_CODES.errors} | there are errors, or a session is refused |
| ${EXIT_CODES.usage} | wrong use: an argument, the input or the environment; one sentence says the way out |
| ${EXIT_CODES.warnings} | there are warnings and no errors, or a session that only storage can judge |

## doctor

[A page of its own](./doctor.md) has every check.

\`\`\`sh
npx @x/auth doctor https://example.com
deno run --allow-net jsr:@x/auth/cli doctor https://example.com
\`\`\`

\`\`\`text
${optionsIn(DOCTOR_HELP)}\`\`\`

## schema

[Storage](./storage.md#tables-by-hand) has more about it.

\`\`\`sh
npx @x/auth schema prisma --dialect postgres
deno run jsr:@x/auth/cli schema sql --dialect sqlite
\`\`\`

\`\`\`text
${optionsIn(SCHEMA_HELP)}\`\`\`

## secret

\`\`\`sh
npx @x/auth secret >> .env
\`\`\`

It prints 33 random bytes as a line \`AUTH_SECRET=…\`. It takes no secret: what you type stays in the history of the
shell. The same holds for the other commands, which read the secret from the environment only.

## session

Somebody is signed out, and should not be. Copy the \`Cookie\` header of their request from the developer tools of the
browser into a file, and give the command the secret of the site:

\`\`\`sh
(set -a && . ./.env && npx @x/auth session < cookie.txt)
deno run --env-file=.env --allow-env=${SECRETS} jsr:@x/auth/cli session < cookie.txt
\`\`\`

\`\`\`text
__Secure-authjs.session-token: other-cookie
  It was sealed for the cookie authjs.session-token, and came as another one:
  the name is a part of the key.
  Fix: Give the cookie its name back: look at \`cookies.sessionToken.name\`,
  \`useSecureCookies\`, and whether AUTH_URL has http or https.
\`\`\`

It says which secret opens the session, since when and until when it is valid, what it says of the user, and which row
it has in storage. Values that look like tokens are hidden without \`--show\`. Otherwise it names the reason: another
secret, or one with quotes around it; another name of the cookie; expired; changed or cut; a part that is missing; two
cookies of one name. It knows stored sessions, which are a row and not in the cookie, and cookies of next-auth 4 and
Better Auth. Whoever has a session cookie is signed in with it: remove the file.

\`\`\`text
${optionsIn(SESSION_HELP)}\`\`\`

As a function it is \`examineSession()\`:

\`\`\`ts
import { examineSession } from "@x/auth/cli";

/** Says why a request has no session, for a page of your support. */
export async function whyNot(cookieHeader: string): Promise<string[]> {
  const { cookies } = await examineSession(cookieHeader);
  return cookies.map(({ name, verdict, says }) => \`\${name} (\${verdict}): \${says}\`);
}
\`\`\`

## test-session

For tests in a browser of an application that runs by itself, with \`NODE_ENV=test\` and the secret that it has there:

\`\`\`sh
npx @x/auth test-session --user ada@example.com --playwright > state.json
deno run --env-file=.env --allow-env=NODE_ENV,DENO_ENV,AUTH_URL,${SECRETS} jsr:@x/auth/cli test-session --user ada@example.com
\`\`\`

It makes a cookie only where \`NODE_ENV\` or \`DENO_ENV\` is \`test\` and neither is \`production\`, and for
a site on this machine: \`--url\`, and \`AUTH_URL\` if it is set, must be on loopback. Your callbacks are not called, and
with an adapter \`--id\` has to be the id of a stored user. It is for sessions that are encrypted in the cookie. For
stored sessions, and for all that a real sign-in does, [the test kit](./testing.md) has \`signInAs()\` and
\`withFakeProviders()\`.

\`\`\`text
${optionsIn(TEST_SESSION_HELP)}\`\`\`

As a function it is \`testSession()\`.
`;

function optionsIn(help: string): string {
  const options = help.slice(help.indexOf("Options:\n") + 9);
  return options.split("\nExit codes")[0] ?? options;
}

/** Writes the page. */
export async function commandPage(): Promise<string> {
  return await formatted(PAGE);
}
