/**
 * Which file imports what, as Deno resolves it: the output of `deno info --json`, made small.
 *
 * @module
 */

/** An import, or an export of what is imported. */
export interface Import {
  /** Path of the file that imports, from the root of the project. */
  readonly file: string;
  /** Line of the import, from 1. */
  readonly line: number;
  /** What stands in the quotes. */
  readonly specifier: string;
  /** Path of the imported file, from the root of the project; the specifier where it is a package. */
  readonly target: string;
  /** `static` is loaded with the file, `dynamic` by a call of `import()`, `type` never. */
  readonly kind: "static" | "dynamic" | "type";
}

interface Resolved {
  readonly specifier: string;
  readonly span: { readonly start: { readonly line: number } };
}

interface Dependency {
  readonly specifier: string;
  readonly code?: Resolved;
  readonly type?: Resolved;
  readonly isDynamic?: boolean;
}

interface Info {
  readonly modules: readonly { readonly specifier: string; readonly dependencies?: readonly Dependency[] }[];
}

/**
 * Lists the imports of these files and of all that they lead to, packages left out.
 *
 * @param files Paths from the root of the project.
 * @param root The root of the project, with a slash at its end.
 */
export async function readImports(
  files: readonly string[],
  root: URL = new URL("../", import.meta.url),
): Promise<Import[]> {
  // `deno info` takes one entry point, so it gets one that imports them all.
  const entry = files.map((file) => `import ${JSON.stringify(new URL(file, root).href)};`).join("");
  const args = ["info", "--json", "--no-npm", `data:application/typescript,${encodeURIComponent(entry)}`];
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: root }).output();
  if (!success) throw new Error(`Cannot read the imports: ${new TextDecoder().decode(stderr)}`);
  const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as Info;
  return modules.flatMap(({ specifier, dependencies = [] }) => {
    const file = pathIn(root, specifier);
    return file === null ? [] : dependencies.map((dependency) => importOf(file, dependency, root));
  });
}

function importOf(file: string, { specifier, code, type, isDynamic }: Dependency, root: URL): Import {
  const resolved = code ?? type;
  return {
    file,
    specifier,
    // Where an import does not resolve at all, Deno names neither file nor line.
    line: (resolved?.span?.start.line ?? 0) + 1,
    target: pathIn(root, resolved?.specifier ?? "") ?? specifier,
    kind: code ? isDynamic ? "dynamic" : "static" : "type",
  };
}

function pathIn(root: URL, url: string): string | null {
  return url.startsWith(root.href) ? decodeURIComponent(url.slice(root.href.length)) : null;
}

/** Lists what runs as soon as an entry point is imported, itself included: files, and specifiers of packages. */
export function staticallyReached(entry: string, imports: readonly Import[]): string[] {
  const reached = new Set([entry]);
  // A loop over a set also visits what is added during the loop.
  for (const file of reached) {
    for (const each of imports) if (each.file === file && each.kind === "static") reached.add(each.target);
  }
  return [...reached];
}
