/**
 * The environment of a test.
 *
 * @module
 */

/**
 * Reads variables of a test. Each provider has a client, and an issuer if it cannot do without one.
 *
 * @param given What the test says. Nothing is read of the real environment.
 * @param issuers The ids of the providers that need an issuer.
 */
export function environment(
  given: Readonly<Record<string, string>>,
  issuers: ReadonlySet<string>,
): (name: string) => string | undefined {
  return (name) => {
    if (name in given) return given[name];
    const [, variable = "", kind] = /^AUTH_(?!REDIRECT|SECRET)(\w+)_(ID|SECRET|KEY|ISSUER)$/.exec(name) ?? [];
    if (!kind) return undefined;
    const id = variable.toLowerCase().replaceAll("_", "-");
    if (kind !== "ISSUER") return `test-${kind.toLowerCase()}-of-${id}`;
    return [...issuers].some((each) => each.toLowerCase() === id) ? `https://${id}.test` : undefined;
  };
}
