import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { EMBEDDED_PACKAGES } from "../../scripts/npm/embed.ts";
import { sameBytes } from "../../scripts/release/build.ts";
import { missingReasons, notesOf, releaseChangelog } from "../../scripts/release/changelog.ts";
import { changesOf, lastOf, type Recorded } from "../../scripts/release/last.ts";
import { type Bom, type LockFile, type Release, sbomOf } from "../../scripts/release/sbom.ts";
import { unlessOffline } from "../../scripts/release/trials.ts";
import {
  compareVersions,
  type Level,
  nextVersion,
  parseVersion,
  versionFor,
  versionOfTag,
  withVersion,
} from "../../scripts/release/version.ts";

describe("the version of a release", () => {
  test("is the next one for what has changed, one place further to the right before 1.0", () => {
    const rows: [last: string, patch: string, minor: string, major: string][] = [
      ["0.0.0", "0.0.1", "0.0.1", "0.1.0"],
      ["0.0.9", "0.0.10", "0.0.10", "0.1.0"],
      ["0.1.0", "0.1.1", "0.1.1", "0.2.0"],
      ["0.9.9", "0.9.10", "0.9.10", "0.10.0"],
      ["1.0.0", "1.0.1", "1.1.0", "2.0.0"],
      ["1.2.3", "1.2.4", "1.3.0", "2.0.0"],
      ["9.9.9", "9.9.10", "9.10.0", "10.0.0"],
    ];
    for (const [last, ...wanted] of rows) {
      assert.deepEqual((["patch", "minor", "major"] as const).map((level) => nextVersion(last, level)), wanted, last);
    }
  });

  test("is the one that somebody asks for, unless it promises more than the changes keep", () => {
    const rows: [last: string, level: Level, asked: string | undefined, wanted: string | null][] = [
      ["1.2.3", "patch", undefined, "1.2.4"],
      ["1.2.3", "patch", "1.2.4", "1.2.4"],
      ["1.2.3", "patch", "1.3.0", "1.3.0"],
      ["1.2.3", "patch", "1.2.3", null],
      ["1.2.3", "minor", "1.2.4", null],
      ["1.2.3", "minor", "1.2.99", null],
      ["1.2.3", "minor", "1.10.0", "1.10.0"],
      ["1.2.3", "major", "1.99.0", null],
      ["1.2.3", "major", "2.0.0", "2.0.0"],
      ["0.1.0", "patch", "1.0.0", "1.0.0"],
      ["0.1.0", "major", "0.1.1", null],
      ["0.1.0", "major", "0.2.0", "0.2.0"],
      ["0.1.0", "major", "1.0.0", "1.0.0"],
    ];
    for (const [last, level, asked, wanted] of rows) {
      if (wanted) assert.equal(versionFor(last, level, asked), wanted);
      else assert.throws(() => versionFor(last, level, asked), /is too low/, `${last} ${level} ${asked}`);
    }
  });

  test("is three numbers and nothing else", () => {
    assert.deepEqual(parseVersion("10.0.2"), [10, 0, 2]);
    for (
      const wrong of [
        "",
        "1",
        "1.2",
        "1.2.3.4",
        "v1.2.3",
        "01.2.3",
        "1.2.03",
        "1.2.x",
        "1.2.3-rc.1",
        "1.2.3+a",
        " 1.2.3",
      ]
    ) {
      assert.throws(() => parseVersion(wrong), /is not a version/, wrong);
    }
    assert.throws(() => parseVersion(`1.2.${2 ** 53}`), /is not a version/);
  });

  test("is compared by numbers, not by letters", () => {
    const sorted = ["0.0.1", "0.1.0", "0.2.0", "0.10.0", "1.0.0", "1.0.2", "1.0.10", "2.0.0", "10.0.0"];
    assert.deepEqual(sorted.toReversed().sort(compareVersions), sorted);
    assert.equal(compareVersions("1.2.3", "1.2.3"), 0);
  });

  test("is written into deno.json, where nothing else changes", () => {
    const config = readFileSync("deno.json", "utf8");
    const changed = withVersion(config, "7.8.9");
    assert.equal(JSON.parse(changed).version, "7.8.9");
    assert.deepEqual({ ...JSON.parse(changed), version: "" }, { ...JSON.parse(config), version: "" });
    assert.equal(changed.split("\n").filter((line, at) => line !== config.split("\n")[at]).length, 1);
    assert.throws(() => withVersion('{\n  "name": "a"\n}', "7.8.9"), /no member "version"/);
  });
});

test("a tag is refused unless deno.json has its version, by which JSR goes", () => {
  const config = '{\n  "name": "a",\n  "version": "1.2.3"\n}\n';
  assert.equal(versionOfTag("v1.2.3", config), "1.2.3");
  for (const wrong of ["1.2.3", "v1.2.4", "vv1.2.3", "v1.2", "v1.2.3-rc.1", "V1.2.3", "main", ""]) {
    assert.throws(() => versionOfTag(wrong, config), /does not fit deno\.json|is not a version/, wrong);
  }
});

describe("the release before", () => {
  const CHANGELOG = "# Changelog\n\n## Unreleased\n\n## 0.3.0 (2026-01-01)\n\nText.\n\n## 0.10.0\n";

  test("is the highest tag below the version that is released", () => {
    const tags = ["v0.9.0", "v0.10.0", "v1.0.0", "v1.0.0-rc.1", "nightly", "v2", ""];
    assert.deepEqual(lastOf(tags, CHANGELOG), { version: "1.0.0", tag: "v1.0.0" });
    assert.deepEqual(lastOf(tags, CHANGELOG, "1.0.0"), { version: "0.10.0", tag: "v0.10.0" });
    assert.deepEqual(lastOf(tags, CHANGELOG, "0.9.1"), { version: "0.9.0", tag: "v0.9.0" });
  });

  test("is taken from the changelog if nothing was tagged", () => {
    assert.deepEqual(lastOf([], CHANGELOG), { version: "0.10.0" });
    assert.deepEqual(lastOf(["v0.4.0"], CHANGELOG, "0.4.0"), { version: "0.3.0" });
    assert.throws(() => lastOf([], "# Changelog\n\n## Unreleased\n"), /no release before/);
  });
});

describe("what has changed since", () => {
  const REASON = "`POST /auth/signout` answers with 303, which proxies do not replay as a POST.";
  const snapshot: Recorded["snapshot"] = {
    id: "wire",
    keyOf: (line) => line.split(" = ")[0] ?? line,
    judge: ({ kind }) => kind === "added" ? { level: "minor" } : { level: "major", breaks: "clients" },
  };
  const override = { snapshot: "wire", removed: ["signout = 302"], reason: REASON };
  const old = ["session = 200", "signout = 302"];
  const broken = ["session = 200", "signout = 303"];

  test("says the level, and the reasons of the overrides that allow it", () => {
    const rows: [
      before: readonly string[],
      after: readonly string[],
      overrides: boolean,
      level: Level,
      reasons: number,
    ][] = [
      [old, old, false, "patch", 0],
      [old, [...old, "csrf = 200"], false, "minor", 0],
      [old, broken, true, "major", 1],
      // The release before has this change already.
      [broken, broken, true, "patch", 0],
      [broken, [...broken, "csrf = 200"], true, "minor", 0],
      // The release before recorded nothing.
      [[], broken, false, "minor", 0],
      [[], broken, true, "major", 1],
      [[], [], false, "patch", 0],
    ];
    for (const [before, after, allowed, level, reasons] of rows) {
      const found = changesOf([{ snapshot, before, after }], allowed ? [override, override] : []);
      assert.deepEqual(found, { level, reasons: reasons ? [REASON] : [] }, `${before} → ${after}`);
    }
  });

  test("stops the release if a promise is broken without a reason", () => {
    assert.throws(() => changesOf([{ snapshot, before: old, after: broken }], []), /1 promises are broken/);
    const other = { ...override, snapshot: "codes" };
    assert.throws(() => changesOf([{ snapshot, before: old, after: broken }], [other]), /1 promises are broken/);
  });
});

describe("the changelog of a release", () => {
  const HEAD = "# Changelog\n\nWhat changes for you.";
  const OLDER = "## 0.1.0\n\nThe first version.\n\n- All of it.";
  const facts = { version: "0.2.0", day: "2026-03-01", reasons: [] };
  const withBody = (body: string) => `${HEAD}\n\n## Unreleased\n\n${body}\n\n${OLDER}\n`;

  test("has what was unreleased below the version and its day, and an empty section for the next", () => {
    const changelog = releaseChangelog(withBody("Added:\n\n- One.\n- Two,\n  in two lines."), facts);
    const section = "## 0.2.0 (2026-03-01)\n\nAdded:\n\n- One.\n- Two,\n  in two lines.";
    assert.equal(changelog, `${HEAD}\n\n## Unreleased\n\n${section}\n\n${OLDER}\n`);
  });

  test("begins with the reasons for what breaks, except those that stand there already", () => {
    const reasons = ["`a` is gone: use `b`.", "The cookie `c` has another name.", "`a` is gone: use `b`."];
    const rows: [body: string, wanted: string][] = [
      ["Added:\n\n- One.", `Breaking:\n\n- ${reasons[0]}\n- ${reasons[1]}\n\nAdded:\n\n- One.`],
      [
        "Added:\n\n- The cookie `c`\n  has another name.",
        `Breaking:\n\n- ${reasons[0]}\n\nAdded:\n\n- The cookie \`c\`\n  has another name.`,
      ],
      [
        `Changed:\n\n- ${reasons[0]}\n- ${reasons[1]} So it goes.`,
        `Changed:\n\n- ${reasons[0]}\n- ${reasons[1]} So it goes.`,
      ],
      [
        "Breaking:\n\n- Old.\n\nAdded:\n\n- One.",
        `Breaking:\n\n- ${reasons[0]}\n- ${reasons[1]}\n- Old.\n\nAdded:\n\n- One.`,
      ],
      ["", `Breaking:\n\n- ${reasons[0]}\n- ${reasons[1]}`],
    ];
    for (const [body, wanted] of rows) {
      assert.equal(notesOf(releaseChangelog(withBody(body), { ...facts, reasons }), "0.2.0"), wanted);
    }
  });

  test("lacks a reason that somebody has taken out or changed", () => {
    const reasons = ["`a` is gone: use `b`.", "The cookie `c` has another name."];
    assert.deepEqual(missingReasons("Breaking:\n\n- `a` is gone:\n  use `b`.", reasons), [reasons[1]]);
    assert.deepEqual(missingReasons(reasons.join("\n"), reasons), []);
    assert.deepEqual(missingReasons("", reasons), reasons);
  });

  test("is refused if there is nothing to release, or the version is there or lower", () => {
    const full = withBody("Added:\n\n- One.");
    const rows: [changelog: string, version: string, error: RegExp][] = [
      [withBody(""), "0.2.0", /nothing below "Unreleased"/],
      [full, "0.1.0", /section for 0\.1\.0 already/],
      [full, "0.0.9", /section for 0\.1\.0 already/],
      [`${HEAD}\n\n${OLDER}\n`, "0.2.0", /begin with the section "Unreleased"/],
      ["", "0.2.0", /begin with the section "Unreleased"/],
    ];
    for (const [changelog, version, error] of rows) {
      assert.throws(() => releaseChangelog(changelog, { ...facts, version }), error);
    }
  });

  test("works with the changelog of this project, and twice in a row", () => {
    const today = readFileSync("CHANGELOG.md", "utf8");
    const reasons = ["Something was taken away, with a reason."];
    const once = releaseChangelog(today, { version: "90.0.0", day: "2026-03-01", reasons });
    assert.ok(notesOf(once, "90.0.0").startsWith(`Breaking:\n\n- ${reasons[0]}\n`));
    assert.equal(notesOf(once, "0.1.0"), notesOf(today, "0.1.0"));
    const again = releaseChangelog(once.replace("## Unreleased\n", "## Unreleased\n\nFixed:\n\n- One.\n"), {
      ...facts,
      version: "90.0.1",
    });
    assert.equal(notesOf(again, "90.0.1"), "Fixed:\n\n- One.");
    assert.equal(notesOf(again, "90.0.0"), notesOf(once, "90.0.0"));
  });

  test("has notes for the version of the tag, or the release is refused", () => {
    const changelog = `${HEAD}\n\n## 0.10.0\n\n## 0.1.0 (2026-03-01)\n\nText.\n\n### More\n\nText.\n`;
    assert.equal(notesOf(changelog, "0.1.0"), "Text.\n\n### More\n\nText.");
    for (const version of ["0.10.0", "0.1", "1.0.0", "Unreleased"]) {
      assert.throws(() => notesOf(changelog, version), /says nothing about/, version);
    }
  });
});

/** The places of a bill of materials that are not as CycloneDX 1.6 wants them, of the members that are used here. */
function problemsOf(bom: Bom): string[] {
  const problems: string[] = [];
  const demand = (fine: boolean, problem: string) => fine || problems.push(problem);
  const only = (value: object, names: readonly string[], where: string) =>
    demand(Object.keys(value).every((name) => names.includes(name)), `${where} has a member that is not known`);
  only(bom, ["bomFormat", "specVersion", "serialNumber", "version", "metadata", "components", "dependencies"], "bom");
  demand(bom.bomFormat === "CycloneDX" && bom.specVersion === "1.6" && bom.version === 1, "the format is another");
  demand(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(bom.serialNumber),
    "serial",
  );
  only(bom.metadata, ["timestamp", "component"], "metadata");
  demand(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(bom.metadata.timestamp), "timestamp");
  const all = [bom.metadata.component, ...bom.components];
  for (const component of all) {
    const where = component.purl;
    only(component, ["type", "bom-ref", "group", "name", "version", "hashes", "purl", "properties"], where);
    demand(component.type === "library" && component.name !== "" && component.version !== "", `${where}: name`);
    demand(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+$/.test(component.purl), `${where}: purl`);
    demand(component["bom-ref"] === component.purl, `${where}: bom-ref`);
    for (const { alg, content } of component.hashes) {
      demand(alg === "SHA-512" && /^[0-9a-f]{128}$/.test(content), `${where}: hash`);
    }
    demand(component.hashes.length === 1, `${where}: one hash`);
    for (const { name, value } of component.properties ?? []) demand(name !== "" && value !== "", `${where}: property`);
  }
  const refs = new Set(all.map(({ "bom-ref": ref }) => ref));
  demand(refs.size === all.length, "two components have the same bom-ref");
  demand(bom.dependencies.length === all.length, "each component says once what it needs");
  for (const { ref, dependsOn } of bom.dependencies) {
    demand(refs.has(ref) && dependsOn.every((needed) => refs.has(needed)), `${ref} needs what is not listed`);
    demand(new Set(dependsOn).size === dependsOn.length, `${ref} needs something twice`);
  }
  return problems;
}

describe("the bill of materials", () => {
  const integrityOf = (text: string) => `sha512-${createHash("sha512").update(text).digest("base64")}`;
  const LOCK: LockFile = {
    specifiers: { "npm:jose@^6.0.0": "6.2.17", "npm:@acme/view@^1.0.0": "1.4.0_peer@2.0.0", "npm:tool@1": "1.0.0" },
    npm: {
      "jose@6.2.17": { integrity: integrityOf("jose") },
      "jose@5.0.0": { integrity: integrityOf("jose 5") },
      "@acme/view@1.4.0_peer@2.0.0": { integrity: integrityOf("view"), dependencies: ["peer", "jose@5.0.0"] },
      "peer@2.0.0": { integrity: integrityOf("peer"), dependencies: ["@acme/view@1.4.0_peer@2.0.0"] },
      "@acme/inside@3.0.0": {
        integrity: integrityOf("inside"),
        dependencies: ["cbor"],
        optionalDependencies: ["jose@5.0.0"],
      },
      "cbor@0.1.0": { integrity: integrityOf("cbor") },
      "tool@1.0.0": { integrity: integrityOf("tool") },
    },
  };
  const RELEASE: Release = {
    name: "@x/auth",
    version: "1.2.3",
    tarball: new TextEncoder().encode("a tarball"),
    timestamp: "2026-03-01T10:00:00.000Z",
    dependencies: ["jose@^6.0.0", "@acme/view@^1.0.0"],
    embedded: ["@acme/inside"],
  };

  test("lists what is installed and what is inside, with what these need, and no tool of this project", () => {
    const bom = sbomOf(RELEASE, LOCK);
    assert.deepEqual(problemsOf(bom), []);
    const listed = bom.components.map(({ purl, properties }) => `${purl}${properties ? " inside" : ""}`);
    assert.deepEqual(listed, [
      "pkg:npm/%40acme/inside@3.0.0 inside",
      "pkg:npm/%40acme/view@1.4.0",
      "pkg:npm/cbor@0.1.0 inside",
      "pkg:npm/jose@5.0.0 inside",
      "pkg:npm/jose@6.2.17",
      "pkg:npm/peer@2.0.0",
    ]);
    const view = bom.components.find(({ name }) => name === "view");
    assert.deepEqual([view?.group, view?.version], ["@acme", "1.4.0"]);
    assert.equal(view?.hashes[0]?.content, createHash("sha512").update("view").digest("hex"));
  });

  test("says who needs whom", () => {
    const { dependencies } = sbomOf(RELEASE, LOCK);
    assert.deepEqual(dependencies, [
      {
        ref: "pkg:npm/%40x/auth@1.2.3",
        dependsOn: ["pkg:npm/%40acme/inside@3.0.0", "pkg:npm/%40acme/view@1.4.0", "pkg:npm/jose@6.2.17"],
      },
      { ref: "pkg:npm/%40acme/inside@3.0.0", dependsOn: ["pkg:npm/cbor@0.1.0", "pkg:npm/jose@5.0.0"] },
      { ref: "pkg:npm/%40acme/view@1.4.0", dependsOn: ["pkg:npm/jose@5.0.0", "pkg:npm/peer@2.0.0"] },
      { ref: "pkg:npm/cbor@0.1.0", dependsOn: [] },
      { ref: "pkg:npm/jose@5.0.0", dependsOn: [] },
      { ref: "pkg:npm/jose@6.2.17", dependsOn: [] },
      { ref: "pkg:npm/peer@2.0.0", dependsOn: ["pkg:npm/%40acme/view@1.4.0"] },
    ]);
  });

  test("is the same for the same release, and has another number for another tarball", () => {
    assert.deepEqual(sbomOf(RELEASE, LOCK), sbomOf(RELEASE, LOCK));
    const other = sbomOf({ ...RELEASE, tarball: new Uint8Array(1) }, LOCK);
    assert.notEqual(other.serialNumber, sbomOf(RELEASE, LOCK).serialNumber);
    const { hashes } = sbomOf(RELEASE, LOCK).metadata.component;
    assert.deepEqual(hashes, [{ alg: "SHA-512", content: createHash("sha512").update("a tarball").digest("hex") }]);
  });

  test("is refused if the lock file does not say which bytes a package has", () => {
    const rows: [release: Partial<Release>, npm: LockFile["npm"], error: RegExp][] = [
      [{ dependencies: ["absent"] }, {}, /absent in deno\.lock: it has no such package/],
      [{ dependencies: ["absent@^1.0.0"] }, {}, /no such package/],
      [{ dependencies: ["jose"] }, {}, /jose in deno\.lock: it has several versions/],
      // A range that was never resolved: some version of the package is not enough.
      [{ dependencies: ["tool@^2.0.0"] }, {}, /no such package/],
      [{}, { "jose@6.2.17": {} }, /no SHA-512 of jose@6\.2\.17/],
      [{}, { "jose@6.2.17": { integrity: "sha1-AAAA" } }, /no SHA-512 of jose/],
      [{}, { "cbor@0.1.0": { integrity: "" } }, /no SHA-512 of cbor/],
      [{}, { "peer@2.0.0": { integrity: integrityOf("peer"), dependencies: ["gone"] } }, /gone in deno\.lock/],
    ];
    for (const [release, npm, error] of rows) {
      assert.throws(() => sbomOf({ ...RELEASE, ...release }, { ...LOCK, npm: { ...LOCK.npm, ...npm } }), error);
    }
  });

  test("of this project names the packages that it uses", () => {
    const lock = JSON.parse(readFileSync("deno.lock", "utf8")) as LockFile;
    const { imports } = JSON.parse(readFileSync("deno.json", "utf8")) as { readonly imports: Record<string, string> };
    const used = ["jose", "oauth4webapi", "preact", "preact-render-to-string"];
    const dependencies = used.map((name) => imports[name]?.replace("npm:", "") ?? assert.fail(name));
    const bom = sbomOf({ ...RELEASE, dependencies, embedded: EMBEDDED_PACKAGES }, lock);
    assert.deepEqual(problemsOf(bom), []);
    const installed = bom.components.filter(({ properties }) => !properties).map(({ name }) => name);
    assert.deepEqual(installed.sort(), used);
    assert.ok(
      bom.components.some(({ group, name, properties }) =>
        `${group}/${name}` === "@simplewebauthn/server" && properties
      ),
    );
  });

  test("that is wrong is found", () => {
    const bom = sbomOf(RELEASE, LOCK);
    const [first, second] = bom.components;
    assert.ok(first && second);
    const wrong: Bom[] = [
      { ...bom, components: [first, ...bom.components] },
      { ...bom, components: bom.components.slice(1) },
      { ...bom, components: [{ ...first, hashes: [] }, ...bom.components.slice(1)] },
      {
        ...bom,
        components: [{ ...first, hashes: [{ alg: "SHA-512", content: "sha512-AA==" }] }, ...bom.components.slice(1)],
      },
      { ...bom, serialNumber: "urn:uuid:1" },
      { ...bom, metadata: { ...bom.metadata, timestamp: "yesterday" } },
      { ...bom, dependencies: bom.dependencies.slice(1) },
      { ...bom, license: "MIT" } as Bom,
    ];
    for (const [at, each] of wrong.entries()) assert.notDeepEqual(problemsOf(each), [], `${at}`);
  });
});

test("two builds with other bytes are refused", () => {
  const bytes = Buffer.from("abc");
  assert.equal(sameBytes(bytes, Buffer.from("abc")), bytes);
  for (const other of ["abd", "ab", "abcd", ""]) {
    assert.throws(() => sameBytes(bytes, Buffer.from(other)), /other bytes/, other);
  }
});

test("a dry run of publishing is left out without a network, and any other error stops the release", async () => {
  const failing = (message: string) => unlessOffline(() => Promise.reject(new Error(message)));
  assert.deepEqual(await unlessOffline(() => Promise.resolve("")), { ok: true });
  for (const code of ["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ETIMEDOUT", "E429", "E503", "dns error"]) {
    assert.deepEqual(await failing(`npm error code ${code}: registry`), { ok: false, why: code });
  }
  for (const message of ["npm error code E403", "npm error code EUSAGE", "Slow types", "NOTENOTFOUND"]) {
    await assert.rejects(failing(message), new RegExp(message));
  }
});
