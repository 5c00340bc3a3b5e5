/**
 * Writes docs/doctor.md, how to ask the doctor and every check of its table, and docs/command.md.
 *
 * @example Usage
 * ```sh
 * deno run -A scripts/docs/doctor.ts
 * ```
 *
 * @module
 */
import { writeFileSync } from "node:fs";
import type { Check } from "../../cli/doctor/check.ts";
import { CACHING } from "../../cli/doctor/check_caching.ts";
import { COOKIE_SETS } from "../../cli/doctor/check_cookie_sets.ts";
import { COOKIES } from "../../cli/doctor/check_cookies.ts";
import { ISSUERS } from "../../cli/doctor/check_issuers.ts";
import { ORIGIN } from "../../cli/doctor/check_origin.ts";
import { PAGES } from "../../cli/doctor/check_pages.ts";
import { PROVIDERS } from "../../cli/doctor/check_providers.ts";
import { REACH } from "../../cli/doctor/check_reach.ts";
import { SERVICE } from "../../cli/doctor/check_service.ts";
import { DOCTOR_HELP } from "../../cli/doctor/command.ts";
import { EXIT_CODES } from "../../cli/terminal/exit_codes.ts";
import { printLine } from "../print.ts";
import { formatted } from "../provider_docs.ts";
import { commandPage } from "./command.ts";

const GROUPS: readonly (readonly [title: string, checks: readonly Check[]])[] = [
  ["Reaching it", REACH],
  ["Which address it takes for its own", ORIGIN],
  ["What its paths answer", SERVICE],
  ["Caches", CACHING],
  ["Each cookie", COOKIES],
  ["Cookies together", COOKIE_SETS],
  ["Headers of pages", PAGES],
  ["Providers", PROVIDERS],
  ["Issuers", ISSUERS],
];

const HEAD = `# The doctor

\`npx @x/auth doctor\` asks a running site from outside what is wrong with its sign-in. It does not load your application,
and it signs nobody in. It knows sites with @x/auth and sites with Auth.js. It is a part of [the command](./command.md).

\`\`\`sh
npx @x/auth doctor https://example.com
npx @x/auth doctor localhost:3000
npx @x/auth doctor https://example.com/my/path/auth --json
deno run --allow-net --allow-env=NO_COLOR jsr:@x/auth/cli doctor https://example.com
\`\`\`

It prints what it found, the worst first, each with what to do. Then it lists the callback URLs to register at the
providers:

\`\`\`text
https://example.com/auth

error origin-scheme
  The service takes itself for an http site, and it is asked by https:
  http://example.com in the list of providers.
  Fix: Set AUTH_URL=https://example.com, or let the proxy send X-Forwarded-Host
  and X-Forwarded-Proto and set AUTH_TRUST_HOST=true.

Callback URLs to register at the providers:
  github
    https://example.com/auth/callback/github

1 error, 0 warnings, 0 notes; 20 requests
\`\`\`

## In a pipeline

| Exit code | Meaning |
| --- | --- |
| ${EXIT_CODES.sound} | sound, or notes only |
| ${EXIT_CODES.errors} | there are errors |
| ${EXIT_CODES.usage} | an argument is wrong |
| ${EXIT_CODES.warnings} | there are warnings and no errors |

With \`--json\` each line is an object with \`version\` (1) and \`kind\`: one \`site\`, then \`callback\` and \`finding\` for each,
then one \`end\` with the counts. The names of checks do not change. Your own program can call it, too:

\`\`\`ts
import { examine } from "@x/auth/cli";

/** Lists what is wrong with a site, as lines. */
export async function listErrors(site: string): Promise<string[]> {
  const { findings } = await examine(site, { providers: false });
  return findings.filter(({ level }) => level === "error").map(({ id, says, fix }) => \`\${id}: \${says}. \${fix}\`);
}
\`\`\`

## What it sends

About twenty requests, at most 150, for at most 90 seconds. It reads 256 KiB of an answer, follows ten redirects, and
gives cookies back to the origin that set them only. It prints no value of a cookie, no token and no query of a URL.

- Your log will have warnings about it: a form of \`https://doctor.invalid\`, a redirect to it, and its
  \`X-Forwarded-Host\`. It tries these to see that they are refused.
- It posts to \`/signin/<id>\` of each OAuth provider, at most twelve, and opens the page of the provider that it is sent
  to, as a browser without cookies would. If that page says that the callback URL, the client or a scope is wrong, the
  doctor says so. Not every provider says it before somebody has signed in. \`--no-providers\` leaves this out.
- It posts no address, no password and no passkey, so no email is sent.
- A site that is not on your machine cannot make it ask something on your machine, or at an address of your network.

All options:

\`\`\`text
${DOCTOR_HELP.slice(DOCTOR_HELP.indexOf("Options:\n") + 9, DOCTOR_HELP.indexOf("\nExit codes"))}\`\`\`

## In development

From outside nobody sees your storage, or an option that is misspelt. \`auth.check()\`
[does](./deploying.md#check-before-the-first-visitor). The feature \`doctor()\` lets the doctor have its list:

<!-- run: GET /auth/signin 200 -->

\`\`\`ts
import { createServer } from "node:http";
import { createAuth } from "@x/auth";
import { doctor } from "@x/auth/doctor";
import { nodeListener } from "@x/auth/node";
import { credentials } from "@x/auth/providers/credentials";

const { handler } = createAuth({
  features: [doctor()],
  providers: [credentials({ credentials: { password: { type: "password" } }, authorize: () => null })],
});

createServer(nodeListener(handler)).listen(3000);
\`\`\`

1. Start the program with \`NODE_ENV=development\`.
2. \`npx @x/auth doctor localhost:3000 --code ask\` makes the log show a code.
3. \`npx @x/auth doctor localhost:3000 --code <the code>\` lists all that \`check()\` finds, and every warning.
   Notes say where the secret comes from, which address the service takes for its own, what the adapter cannot do,
   which hosts and variables it needs, and which address of the doctor [limits](./limits.md#the-address-of-the-client)
   see: behind a proxy elsewhere, ask \`check(request)\` there.

A code is valid once, for ten minutes. The path \`POST /auth/doctor\` exists only with the feature, with
\`NODE_ENV=development\`, for a program on the same machine that sends the code. Browsers, proxies, tunnels and everybody
else get the answer of a path that does not exist. The doctor sends a code to this machine only.

## Checks
`;

/** Writes the page. */
export async function doctorPage(): Promise<string> {
  const groups = GROUPS.map(([title, checks]) => `### ${title}\n\n${checks.map(itemOf).join("\n")}\n`);
  return await formatted([HEAD, ...groups].join("\n"));
}

function itemOf({ id, level, title, fix }: Check): string {
  const remedy = fix.replaceAll("{site}", "https://example.com").replaceAll("{base}", "/auth").replaceAll("{path}", "");
  return `- **\`${id}\`** (${level}): ${plain(title)}. ${plain(remedy)}.`;
}

function plain(text: string): string {
  return text.replaceAll(/<(\w+)>/g, "&lt;$1&gt;").replaceAll("*", "\\*");
}

if (import.meta.main) {
  writeFileSync("docs/doctor.md", await doctorPage());
  writeFileSync("docs/command.md", await commandPage());
  printLine("docs/doctor.md and docs/command.md were written");
}
