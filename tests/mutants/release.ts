import type { Mutant } from "./_mutant.ts";

const RELEASE = ["tests/promises/release_test.ts"];
const WORKFLOWS = ["tests/promises/workflows_test.ts"];

/** What is published, under which version. */
export const release: readonly Mutant[] = [
  {
    name: "REL-1: builds that differ are released",
    file: "scripts/release/build.ts",
    find: "first.length === second.length && first.every((byte, at) => byte === second[at])",
    replace: "first.length === second.length",
    tests: RELEASE,
  },
  {
    name: "REL-2: a broken promise is released without a reason",
    file: "scripts/release/last.ts",
    find: "if (forbidden > 0) throw",
    replace: "if (forbidden > 99) throw",
    tests: RELEASE,
  },
  {
    name: "REL-2: a lower version than the changes need can be asked for",
    file: "scripts/release/version.ts",
    find: "if (compareVersions(asked, least) >= 0) return asked;",
    replace: "if (compareVersions(asked, last) > 0) return asked;",
    tests: RELEASE,
  },
  {
    name: "REL-2: the tag has another version than deno.json",
    file: "scripts/release/version.ts",
    find: "tag === `v${version}` && withVersion(config, version) === config",
    replace: "tag === `v${version}`",
    tests: RELEASE,
  },
  {
    name: "REL-2: the reason for what breaks is left out of the changelog",
    file: "scripts/release/changelog.ts",
    find: "const body = withReasons(unreleased.body, reasons);",
    replace: "const body = unreleased.body;",
    tests: RELEASE,
  },
  {
    name: "REL-3: a package without a digest is listed",
    file: "scripts/release/sbom.ts",
    find: "if (!digest) throw new Error(`deno.lock has no SHA-512 of ${key}`);",
    replace: "if (!digest) return [];",
    tests: RELEASE,
  },
  {
    name: "REL-3: what embedded packages need is left out of the bill of materials",
    file: "scripts/release/sbom.ts",
    find: "const inside = closure(roots.embedded, lock);",
    replace: "const inside = new Set(roots.embedded);",
    tests: RELEASE,
  },
  {
    name: "REL-3: another version than the locked one is listed",
    file: "scripts/release/sbom.ts",
    find: "resolved === undefined ? key.startsWith(`${wanted}@`) : key === `${name}@${resolved}`",
    replace: "key.startsWith(`${name}@`)",
    tests: RELEASE,
  },
  {
    name: "REL-4: an action that can change runs where a release is built",
    file: ".github/workflows/release.yml",
    find: "- run: npx --yes deno@2.9.6 task static",
    replace: "- uses: actions/checkout@v5",
    tests: WORKFLOWS,
  },
  {
    name: "REL-4: nobody has to approve what is published to JSR",
    file: ".github/workflows/release.yml",
    find: "environment: release\n    permissions:\n      contents: read",
    replace: "permissions:\n      contents: read",
    tests: WORKFLOWS,
  },
];
