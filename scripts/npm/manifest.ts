/**
 * Completes the package.json of the npm package.
 *
 * @module
 */
import { EMBEDDED_PACKAGES } from "./embed.ts";
import { COMPONENTS } from "./sveltekit.ts";
import { type Exports, SIDE_EFFECTS, withConditions } from "./server_only.ts";

/** The members of a package.json that this project reads. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Exports;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

/** Optional peer dependencies: an application installs those that it uses. */
const OPTIONAL: Readonly<Record<string, string>> = {
  "@builder.io/qwik": ">=1.9.0",
  "@builder.io/qwik-city": ">=1.9.0",
  "@deno/kv": ">=0.8.0",
  "@sveltejs/kit": ">=2.0.0",
  "mysql2": ">=3.0.0",
  "next": ">=15.0.0",
  "nodemailer": ">=7.0.7",
  "pg": ">=8.0.0",
  "postgres": ">=3.0.0",
  "react": ">=18.0.0",
  "solid-js": ">=1.8.0",
  "svelte": ">=4.0.0",
  "vue": ">=3.3.0",
};

const KEYWORDS = [
  "auth",
  "authentication",
  "oauth",
  "oauth2",
  "oidc",
  "openid-connect",
  "magic-link",
  "session",
  "deno",
  "bun",
];

/** The command of the package: what `npx` starts, and the module that does what it says. */
export const COMMAND = {
  file: "cli/bin.js",
  text: '#!/usr/bin/env node\nimport { main } from "./main.js";\n\nmain();\n',
};

/** Adds what `deno pack` leaves out: description, keywords, license, repository, engines and peer dependencies. */
export function completeManifest(packed: Manifest): Manifest {
  const { name, version, exports, dependencies = {} } = packed;
  const [, scope] = /^@([^/]+)\//.exec(name) ?? [];
  const needed = Object.entries(dependencies).filter(([name]) =>
    !EMBEDDED_PACKAGES.includes(name) && !Object.hasOwn(OPTIONAL, name)
  ).sort();
  return {
    name,
    version,
    description: "Authentication for Deno, Node and Bun: one Web-standard handler that signs people in.",
    keywords: KEYWORDS,
    license: "MIT",
    ...(scope &&
      { repository: { type: "git", url: `git+https://github.com/${scope}/${name.slice(scope.length + 2)}.git` } }),
    type: "module",
    sideEffects: SIDE_EFFECTS,
    engines: { node: ">=22.13" },
    bin: { auth: COMMAND.file },
    // For tools that do not read `exports`.
    main: exports["."]?.default,
    types: exports["."]?.types,
    // Qwik bundles packages with this member, instead of loading them with a copy of Qwik of their own.
    qwik: exports["./qwik"]?.default,
    exports: {
      ...withConditions(exports),
      ...COMPONENTS,
      "./package.json": "./package.json",
    } as unknown as Manifest["exports"],
    dependencies: Object.fromEntries(needed),
    peerDependencies: OPTIONAL,
    peerDependenciesMeta: Object.fromEntries(Object.keys(OPTIONAL).map((name) => [name, { optional: true }])),
  };
}

/** Lists the files of code that applications import, relative to the package. */
export function entriesOf({ exports }: Manifest): string[] {
  const targets = Object.values(exports).flatMap((target) => typeof target === "string" ? [] : target.default ?? []);
  return [...new Set(targets.map((target) => target.replace(/^\.\//, "")))];
}
