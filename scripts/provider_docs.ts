/**
 * Writes docs/providers.md from the files in src/providers/: what each provider needs and uses.
 *
 * @example Usage
 * ```sh
 * deno run --allow-read --allow-env --allow-write=docs/providers.md scripts/provider_docs.ts
 * deno run --allow-read --allow-env scripts/provider_docs.ts --check
 * ```
 *
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";
import { env as environment, exit } from "node:process";
import type { OAuthProvider, OidcProvider, Provider } from "../src/contract/provider.ts";
import { printLine } from "./print.ts";

/** The items that the docstring of each identity provider lists, in this order. */
export const ITEMS = ["Register", "Environment", "Scopes", "Email", "Refresh", "Logout"] as const;

/** What a file in src/providers/ says about its provider in words. */
export interface ProviderWords {
  /** The name of its factory. */
  readonly factory: string;
  /** The items of the list in its docstring, by label. */
  readonly items: Readonly<Record<string, string>>;
  /** What the docstring says after the list. */
  readonly notes: readonly string[];
  /** Its own options, with what they are for. */
  readonly options: readonly { readonly name: string; readonly text: string }[];
  /** The page of the vendor. */
  readonly see: string;
}

const PAGE = "docs/providers.md";
const FOLDER = new URL("../src/providers/", import.meta.url);
const SAMPLES = new URL("../tests/catalogue/", import.meta.url);

/** Reads what the source of a provider says in words. `null` if no factory in it has a list like those of the catalogue. */
export function readWords(source: string): ProviderWords | null {
  const found = [...source.matchAll(/\/\*\*\n((?: \*[^\n]*\n)+?) \*\/\nexport function (\w+)/g)]
    .find(([, comment = ""]) => comment.includes("\n * - Register:"));
  if (!found) return null;
  const [, comment = "", factory = ""] = found;
  const lines = comment.split("\n").map((line) => line.replace(/^ \* ?/, ""));
  const tags = lines.findIndex((line) => line.startsWith("@"));
  const blocks = lines.slice(0, tags).join("\n").split(/\n\s*\n/).map((block) => block.trim()).filter(Boolean);
  const list = blocks.findIndex((block) => block.startsWith("- Register:"));
  const items = (blocks[list] ?? "").split(/\n?^- /m).filter(Boolean).map((item) => {
    const [, label = "", text = ""] = /^(\w+): (.*)$/s.exec(oneLine(item)) ?? [];
    return [label, markdown(text)];
  });
  return {
    factory,
    items: Object.fromEntries(items),
    notes: blocks.slice(list + 1).map((block) => markdown(oneLine(block))),
    options: optionsOf(source),
    see: markdown(lines.find((line) => line.startsWith("@see"))?.replace("@see ", "") ?? ""),
  };
}

function optionsOf(source: string): ProviderWords["options"] {
  const [, body = ""] = /export interface \w+Options<[^{]*\{\n(.*?)\n\}/s.exec(source) ?? [];
  return [...body.matchAll(/^ {2}\/\*\*(.*?)\*\/\n {2}(\w+)\??:/gms)].map(([, text = "", name = ""]) => {
    return {
      name,
      text: markdown(oneLine(text.replaceAll(/^\s*\*/gm, " "))).replace(/@default (\S.*)$/, "Default: $1."),
    };
  });
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function markdown(text: string): string {
  return text.replaceAll(/\{@link (\S+) \| ([^}]+)\}/g, "[$2]($1)").replaceAll(/\{@linkcode (\w+)\}/g, "`$1`")
    .replaceAll(/@default \{([^}]+)\}/g, "@default `$1`").replaceAll(/<(your site|id of the tenant)>/g, "&lt;$1&gt;")
    .replaceAll(/`[^`]*`/g, (code) => code.replaceAll("&lt;", "<").replaceAll("&gt;", ">"));
}

/** A provider of the catalogue with all that the page says about it. */
export interface Entry {
  readonly provider: OAuthProvider | OidcProvider;
  readonly words: ProviderWords;
  /** Whether the provider says that an address is verified: from its sample. */
  readonly email: "with its state" | "unverified" | "none";
  /** Whether it counts as a proof if the provider says so. */
  readonly vouches: "yes" | "own domain" | "no" | "";
}

interface Sample {
  readonly options?: object;
  readonly user?: { readonly email?: string | null };
  readonly emailVerified?: boolean;
}

/** Loads all identity providers of the catalogue, by id. */
export async function loadCatalogue(): Promise<readonly Entry[]> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".ts"));
  const entries = await Promise.all(files.map(async (file): Promise<Entry | null> => {
    const words = readWords(readFileSync(new URL(file, FOLDER), "utf8"));
    if (!words) return null;
    const exports: Record<string, unknown> = await import(new URL(file, FOLDER).href);
    const sample = sampleOf(file);
    const provider = (exports[words.factory] as (options: object) => Provider)(sample.options ?? {});
    if (provider.type !== "oauth" && provider.type !== "oidc") return null;
    const email = emailOf(sample);
    return { provider, words, email, vouches: email === "with its state" ? provider.vouches ?? "yes" : "" };
  }));
  const present = entries.filter((entry) => entry !== null);
  return present.toSorted((a, b) => a.provider.name.localeCompare(b.provider.name, "en"));
}

function sampleOf(file: string): Sample {
  const text = readFileSync(new URL(file.replace(/\.ts$/, ".json"), SAMPLES), "utf8");
  return (JSON.parse(text) as { sample?: Sample }).sample ?? {};
}

function emailOf({ user, emailVerified }: Sample): Entry["email"] {
  if (!user?.email) return "none";
  return emailVerified === undefined ? "unverified" : "with its state";
}

const INTRODUCTION = `# Identity providers

<!-- Written by scripts/provider_docs.ts from the files in src/providers/. Change those. -->

The identity providers of the catalogue: what to register where, which variables to set, and what a sign-in with each is
protected by. You can change all of it in the options of the provider. A provider that is not in the list is one object more in \`providers\`: see
[a provider of your own](#a-provider-of-your-own).

- **Callback** is the path of the callback URL that you register, such as \`https://<your site>/auth/callback/github\`. With
  another \`basePath\`, that takes the place of \`/auth\`.
- **Variables** are read from the environment. Each name goes on with \`ID\` and \`SECRET\`, and with \`ISSUER\` where people
  choose the server: the section of the provider has them in full.
- **Address** says what an email address of the provider is worth: whether it is a proof that it belongs to the person.
  "Proven" if the provider says that it has verified it; "proven in its domain" if only for addresses of the provider's own
  domain. "Not trusted": the provider says whether it has verified it, but that is no proof here, unless you set
  \`vouches\`. "Unverified": nobody has verified it. "None": the provider gives no address. Callbacks find what the provider
  says in \`profile.email_verified\`. What follows from it: [linking accounts](./storage.md#what-is-stored-when).
- **Checks** bind the provider's answer to the browser that asked. \`state\` is always sent; \`pkce\` is
  [RFC 7636](https://www.rfc-editor.org/rfc/rfc7636); \`nonce\` is that of OpenID Connect.
- **Client authentication** is how the service shows at the token endpoint that it is itself. Where the metadata of the
  provider decides, it is the first of \`private_key_jwt\`, \`client_secret_basic\`, \`client_secret_post\` and
  \`client_secret_jwt\` that the metadata offers and that you have a key or a secret for.

Pushed and signed requests ([PAR, JAR, JARM](./par-jar-jarm.md)), [bound tokens](./dpop-and-mtls.md),
[encryption](./encrypted-tokens.md) and [FAPI 2.0](./fapi2.md) are used where the metadata or the configuration demands
them. What \`logout\` does: [logout](./logout.md). How tokens are refreshed: [access tokens](./access-tokens.md).
`;

const OWN = `## A provider of your own

Any provider of OpenID Connect takes its issuer and nothing else:

\`\`\`ts
import { createAuth } from "@x/auth";

const { handler } = createAuth({
  providers: [{ id: "acme", name: "Acme", type: "oidc", issuer: "https://id.acme.example" }],
});
\`\`\`

It reads \`AUTH_ACME_ID\` and \`AUTH_ACME_SECRET\`. A provider of plain OAuth 2.0 needs its three endpoints and a
\`profile\` function: see \`OAuthProvider\` in the reference.

Its \`email_verified\` is believed, because you chose the issuer: true means that it has proven the address, as OpenID
Connect says. Set \`vouches: "no"\` where that is not so: where people, or administrators whom you do not know, can enter
an address that is then called verified, and for a server that other companies run for their own people. Set
\`vouches: "own domain"\` with \`ownDomains\` for one that proves the addresses of its own domains only. What is proven is
the claim \`email\`: if \`profile\` returns another address, nobody vouches for that.

\`\`\`ts
import { createAuth } from "@x/auth";

const { handler } = createAuth({
  providers: [{
    id: "acme",
    name: "Acme",
    type: "oidc",
    issuer: "https://id.acme.example",
    vouches: "own domain",
    ownDomains: { names: ["acme.example"] },
  }],
});
\`\`\`

Issuer and endpoints have to be https, except on your own machine (\`localhost\`, \`127.0.0.1\`). For a server with http on
a network of your own, set \`allowInsecureRequests\` of this one provider. The log warns: whoever can change what is sent
on that network signs in as anybody.

<!-- run: GET /auth/providers 200 intranet | log insecure-requests -->

\`\`\`ts
import { createServer } from "node:http";
import { createAuth } from "@x/auth";
import { nodeListener } from "@x/auth/node";

const { handler } = createAuth({
  providers: [{
    id: "intranet",
    name: "Intranet",
    type: "oidc",
    issuer: "http://id.internal:8080",
    allowInsecureRequests: true,
  }],
});

createServer(nodeListener(handler)).listen(3000);
\`\`\`
`;

/** Writes the page. */
export function pageOf(entries: readonly Entry[]): string {
  const table = [
    "| Provider | Callback | Variables | Address |",
    "| --- | --- | --- | --- |",
    ...entries.map((entry) => {
      const { id, name } = entry.provider;
      return `| [${name}](#${anchorOf(name)}) | \`/auth/callback/${id}\` | \`${variablesOf(id)}\` | ${
        worthOf(entry)
      } |`;
    }),
  ];
  return [INTRODUCTION, table.join("\n") + "\n", ...entries.map(sectionOf), OWN].join("\n");
}

/** What the variables of a provider begin with. */
function variablesOf(id: string): string {
  return `AUTH_${id.toUpperCase().replaceAll("-", "_")}_`;
}

/** Says whether an address of the provider is a proof that it belongs to the person. */
function worthOf({ email, vouches }: Entry): string {
  if (email !== "with its state") return email;
  return { "yes": "proven", "own domain": "proven in its domain", "no": "not trusted", "": "unverified" }[vouches];
}

function pathOf({ factory }: ProviderWords, id: string): string {
  return PATHS[factory] ?? id;
}

/** Factories whose provider has the id of another. */
const PATHS: Readonly<Record<string, string>> = { x: "x" };

function anchorOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
}

function sectionOf(entry: Entry): string {
  const { provider, words } = entry;
  const { id, name, type, checks = [], client } = provider;
  const { Register, Environment, Scopes, ...others } = words.items;
  const method = client?.token_endpoint_auth_method ??
    (isDiscovered(provider) ? "as its metadata says" : "client_secret_basic");
  const rows = [
    `- Import: \`${words.factory}\` from \`@x/auth/providers/${pathOf(words, id)}\``,
    `- Protocol: ${type === "oidc" ? "OpenID Connect" : "OAuth 2.0"}`,
    `- Register: ${Register}`,
    ...Register?.includes(`/auth/callback/${id}`) ? [] : [
      `- Callback URL: \`https://<your site>/auth/callback/${id}\``,
    ],
    `- Environment: ${Environment}`,
    ...words.options.map((option) => `- Option \`${option.name}\`: ${option.text}`),
    `- Scopes: ${Scopes}`,
    `- Checks: ${checks.join(", ")}. Client authentication: ${method}.`,
    `- Address: ${worthOf(entry)}`,
    ...Object.entries(others).map(([label, text]) => `- ${label}: ${text}`),
    `- More: ${words.see}`,
  ];
  return [`## ${name}\n`, rows.join("\n"), ...words.notes.map((note) => `\n${note}`)].join("\n") + "\n";
}

function isDiscovered({ token }: OAuthProvider | OidcProvider): boolean {
  return token === undefined || (typeof token === "object" && token.url === undefined && !token.request);
}

/** Formats a page as `deno fmt` does. */
export async function formatted(page: string): Promise<string> {
  const format = new Deno.Command(Deno.execPath(), { args: ["fmt", "--ext=md", "-"], stdin: "piped", stdout: "piped" });
  const child = format.spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(page));
  await writer.close();
  return new TextDecoder().decode((await child.output()).stdout);
}

if (import.meta.main) {
  // Facts only: the environment variables of the person who runs this are not part of them.
  for (const name of Object.keys(environment)) if (name.startsWith("AUTH_")) delete environment[name];
  const page = await formatted(pageOf(await loadCatalogue()));
  const isCurrent = readFileSync(PAGE, "utf8") === page;
  if (!Deno.args.includes("--check")) Deno.writeTextFileSync(PAGE, page);
  else if (!isCurrent) {
    printLine(`${PAGE} is out of date: run deno run -A scripts/provider_docs.ts`);
    exit(1);
  }
  printLine(`${PAGE} ${isCurrent ? "is up to date" : "was written"}`);
}
