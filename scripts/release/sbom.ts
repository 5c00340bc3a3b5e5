/**
 * The bill of materials of a release, as CycloneDX 1.6: which packages it runs with, of which version and which bytes.
 *
 * @module
 * @see {@link https://cyclonedx.org/docs/1.6/json/ | CycloneDX 1.6}
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";

/** The members of `deno.lock` that matter here. */
export interface LockFile {
  /** Which version stands for a range, as in `{ "npm:jose@^6.2.17": "6.2.17" }`. */
  readonly specifiers: Readonly<Record<string, string>>;
  readonly npm: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly integrity?: string;
  readonly dependencies?: readonly string[];
  readonly optionalDependencies?: readonly string[];
}

/** The release that a bill of materials is for. */
export interface Release {
  readonly name: string;
  readonly version: string;
  /** The bytes of the tarball. */
  readonly tarball: Uint8Array;
  /** The moment of the commit that was built, as RFC 3339 has it. The same commit gives the same bill. */
  readonly timestamp: string;
  /** The packages that applications install, as specifiers of the lock file without `npm:`. */
  readonly dependencies: readonly string[];
  /** Those that are part of the tarball: no tool finds them among what is installed. */
  readonly embedded: readonly string[];
}

interface Hash {
  readonly alg: string;
  readonly content: string;
}

/** A package, as CycloneDX describes it. */
export interface Component {
  readonly type: "library";
  readonly "bom-ref": string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly hashes: readonly Hash[];
  readonly purl: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

/** A bill of materials, as CycloneDX 1.6 has it. */
export interface Bom {
  readonly bomFormat: "CycloneDX";
  readonly specVersion: "1.6";
  readonly serialNumber: string;
  readonly version: 1;
  readonly metadata: { readonly timestamp: string; readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** Writes the bill of materials. @throws {Error} if the lock file lacks a package or its digest. */
export function sbomOf(release: Release, lock: LockFile): Bom {
  const { name, version, tarball, timestamp, dependencies, embedded } = release;
  const roots = { installed: dependencies.map(keyIn(lock)), embedded: embedded.map(keyIn(lock)) };
  const installed = closure(roots.installed, lock);
  const inside = closure(roots.embedded, lock);
  const digest = createHash("sha512").update(tarball).digest("hex");
  const self = componentOf(name, version, [{ alg: "SHA-512", content: digest }]);
  const components = [...new Set([...installed, ...inside])].map((key): [string, Component] => {
    const component = componentOf(...nameAndVersion(key), hashesOf(key, lock));
    return [
      key,
      inside.has(key) ? { ...component, properties: [{ name: "@x/auth:embedded", value: "true" }] } : component,
    ];
  }).sort(([, a], [, b]) => a.purl < b.purl ? -1 : 1);
  const dependsOn = (keys: readonly string[]) => [...new Set(keys.map((key) => purlOf(...nameAndVersion(key))))].sort();
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidFor(`${self.purl}#${digest}`)}`,
    version: 1,
    metadata: { timestamp, component: self },
    components: components.map(([, component]) => component),
    dependencies: [
      { ref: self.purl, dependsOn: dependsOn([...roots.installed, ...roots.embedded]) },
      ...components.map(([key, { purl }]) => ({ ref: purl, dependsOn: dependsOn(neededBy(key, lock)) })),
    ],
  };
}

/** Finds the key of a package by `name`, `name@range`, or by the key itself, which may name peers as well. */
function keyIn({ npm, specifiers }: LockFile): (wanted: string) => string {
  return (wanted) => {
    if (Object.hasOwn(npm, wanted)) return wanted;
    const resolved = specifiers[`npm:${wanted}`];
    const [name] = nameAndVersion(wanted);
    const [key, ...others] = Object.keys(npm).filter((key) =>
      resolved === undefined ? key.startsWith(`${wanted}@`) : key === `${name}@${resolved}`
    );
    if (key && others.length === 0) return key;
    throw new Error(`Cannot find ${wanted} in deno.lock: it has ${key ? "several versions of it" : "no such package"}`);
  };
}

function neededBy(key: string, lock: LockFile): string[] {
  const { dependencies = [], optionalDependencies = [] } = lock.npm[key] ?? {};
  return [...dependencies, ...optionalDependencies].map(keyIn(lock));
}

function closure(roots: readonly string[], lock: LockFile): Set<string> {
  const found = new Set(roots);
  // A set visits what is added to it while it is read.
  for (const key of found) for (const needed of neededBy(key, lock)) found.add(needed);
  return found;
}

/** Reads `@scope/name@1.2.3_peer@4.5.6`. The version is empty if there is none. */
function nameAndVersion(key: string): [name: string, version: string] {
  const [, name = key, version = ""] = /^(@?[^@]+)@([^_]*)/.exec(key) ?? [];
  return [name, version];
}

function hashesOf(key: string, { npm }: LockFile): Hash[] {
  const [, digest] = /^sha512-([\w+/]+=*)$/.exec(npm[key]?.integrity ?? "") ?? [];
  if (!digest) throw new Error(`deno.lock has no SHA-512 of ${key}`);
  return [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }];
}

function componentOf(name: string, version: string, hashes: readonly Hash[]): Component {
  const [, group, own = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  const purl = purlOf(name, version);
  return { type: "library", "bom-ref": purl, ...group && { group }, name: own, version, hashes, purl };
}

/** The address of a package that all tools know. The `@` of a scope is escaped in it. */
function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

/** A UUID that is always the same for a name: version 5 of RFC 9562, in its namespace for URLs. */
function uuidFor(url: string): string {
  const namespace = Buffer.from("6ba7b8119dad11d180b400c04fd430c8", "hex");
  const bytes = createHash("sha1").update(namespace).update(url).digest().subarray(0, 16);
  bytes[6] = (bytes[6] ?? 0) & 0x0f | 0x50;
  bytes[8] = (bytes[8] ?? 0) & 0x3f | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
