/** What is really in a key-value store, and what is wrong with it. Knows the layout, and nothing of the adapter's code. */

/** An entry: its key without the prefix, and its value. */
export interface Entry {
  readonly key: readonly string[];
  readonly value: unknown;
}

/** The names of records that belong to users, and of the members that make up their ids. */
const OWNED: Readonly<Record<string, readonly string[]>> = {
  account: ["provider", "providerAccountId"],
  session: ["sessionToken"],
  credential: ["credentialID"],
};

/** Reads everything below a prefix. */
export async function dump(kv: Deno.Kv, prefix: readonly string[] = ["auth"]): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const { key, value } of kv.list({ prefix: [...prefix] })) {
    entries.push({ key: key.slice(prefix.length).map(String), value });
  }
  return entries;
}

/** Picks the entries of one kind. */
export function ofKind(entries: readonly Entry[], kind: string): Entry[] {
  return entries.filter(({ key }) => key[0] === kind);
}

/** Says what is wrong: records and what finds them must match one to one, and owners must exist. */
export function problemsOf(entries: readonly Entry[]): string[] {
  const users = new Set(ofKind(entries, "user").map(({ key }) => key[1]));
  const expected = new Set<string>();
  const problems: string[] = [];
  for (const { key, value } of entries) {
    const [kind = "", ...id] = key;
    const row = Object(value);
    if (kind === "user" && row.email) expected.add(JSON.stringify(["user_by_email", row.email, key[1]]));
    const members = OWNED[kind];
    if (kind === "user" && row.id !== id[0]) problems.push(`${key} holds ${row.id}`);
    if (!members) continue;
    if (JSON.stringify(members.map((member) => row[member])) !== JSON.stringify(id)) problems.push(`${key} is another`);
    if (!users.has(row.userId)) problems.push(`${key} belongs to nobody: ${row.userId}`);
    expected.add(JSON.stringify([`${kind}_by_user`, row.userId, ...id]));
  }
  for (const { key, value } of entries) {
    const found = JSON.stringify(key[0] === "user_by_email" ? [...key, value] : key);
    if (/_by_/.test(key[0] ?? "") && !expected.delete(found)) problems.push(`${key} leads nowhere`);
    if (key[0] === "roster" && !users.has(key[1])) problems.push(`${key} is of nobody`);
  }
  return [...problems, ...[...expected].map((missing) => `${missing} is missing`)];
}
