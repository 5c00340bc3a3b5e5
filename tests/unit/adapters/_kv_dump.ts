/** What a key-value store contains, and what is wrong with it. Knows the layout of keys, and uses no code of the adapter. */

/** An entry: its key without the prefix, and its value. */
export interface Entry {
  readonly key: readonly string[];
  readonly value: unknown;
}

/** The kinds of records that belong to users, and the members of their ids. */
const OWNED: Readonly<Record<string, readonly string[]>> = {
  account: ["provider", "providerAccountId"],
  session: ["sessionToken"],
  credential: ["credentialID"],
  record: ["kind", "id"],
};

/** The kinds of records of features that let somebody in. */
const EVICTED: readonly unknown[] = ["password", "factor", "device", "key", "deletion", "removed"];

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

/** A record without its stamp. */
export function recordOf({ value }: Entry): Record<string, unknown> {
  return Object(Array.isArray(value) ? value[0] : value);
}

/** The stamp of a record, or the epochs of a user. */
function epochOf({ value }: Entry): Record<string, unknown> & { life: string; epoch: number } {
  return { life: "", epoch: 0, sessions: 0, credentials: 0, ...(Array.isArray(value) ? value[1] : {}) };
}

/** Whether a record has ended. Of accounts, only whether its user was replaced. */
function hasEnded(row: Entry, owner: Entry | undefined): boolean {
  if (!owner) return true;
  const { life, epoch } = epochOf(row);
  const ofKind = { session: "sessions", credential: "credentials" }[row.key[0] ?? ""] ?? "";
  const since = row.key[0] === "record" && EVICTED.includes(row.key[1]) ? "credentials" : ofKind;
  const now = epochOf(owner);
  return life !== now.life || epoch < Number(now[since] ?? 0);
}

/** Picks the records of one kind that have not ended. */
export function liveOf(entries: readonly Entry[], kind: string): Entry[] {
  const users = new Map(ofKind(entries, "user").map((user) => [user.key[1], user]));
  return ofKind(entries, kind).filter((row) => !hasEnded(row, users.get(`${recordOf(row).userId}`)));
}

/**
 * Says what is wrong: records and what finds them must match one to one, owners must exist unless it is written that
 * something is still to be removed, and credentials must be counted.
 */
export function problemsOf(entries: readonly Entry[]): string[] {
  const users = new Map(ofKind(entries, "user").map((user) => [user.key[1], user]));
  const swept = new Set(ofKind(entries, "ended").map(({ key }) => key[1]));
  const expected = new Set<string>();
  const problems: string[] = [];
  for (const entry of entries) {
    const { key: [kind = "", ...id], key } = entry;
    const row = recordOf(entry);
    if (kind === "user" && row.email) expected.add(JSON.stringify(["user_by_email", row.email, key[1]]));
    const members = OWNED[kind];
    if (kind === "user" && row.id !== id[0]) problems.push(`${key} holds ${row.id}`);
    if (!members) continue;
    if (JSON.stringify(members.map((member) => row[member])) !== JSON.stringify(id)) problems.push(`${key} is another`);
    if (kind === "record" && row.group) expected.add(JSON.stringify(["record_by_group", row.group, ...id]));
    if (row.userId === null) continue;
    const userId = `${row.userId}`;
    if (hasEnded(entry, users.get(userId)) && !swept.has(userId)) {
      problems.push(`${key} has ended and stays: ${userId}`);
    }
    expected.add(JSON.stringify([`${kind}_by_user`, row.userId, ...id]));
    if (kind === "session" && row.provider && row.providerSid) {
      expected.add(JSON.stringify(["session_by_sid", row.provider, row.providerSid, ...id]));
    }
  }
  for (const { key, value } of entries) {
    const found = JSON.stringify(key[0] === "user_by_email" ? [...key, value] : key);
    if (/_by_/.test(key[0] ?? "") && !expected.delete(found)) problems.push(`${key} leads nowhere`);
    if (/^(?:roster|credential_count)$/.test(key[0] ?? "") && !users.has(key[1])) problems.push(`${key} is of nobody`);
  }
  return [...problems, ...[...expected].map((missing) => `${missing} is missing`), ...miscounts(entries)];
}

function miscounts(entries: readonly Entry[]): string[] {
  const counts = new Map(ofKind(entries, "credential_count").map(({ key, value }) => [key[1], Object(value)]));
  const owners = liveOf(entries, "credential").map((row) => recordOf(row).userId);
  return ofKind(entries, "user").flatMap((user) => {
    const { life, credentials } = epochOf(user);
    const count = counts.get(user.key[1]);
    const isCurrent = count?.life === life && count.epoch >= Number(credentials);
    // Former versions did not count.
    if (!isCurrent && life === "" && credentials === 0) return [];
    const kept = isCurrent ? count.count : 0;
    const are = owners.filter((owner) => owner === user.key[1]).length;
    return kept === are ? [] : [`${user.key} has ${are} credentials, and ${kept} are counted`];
  });
}
