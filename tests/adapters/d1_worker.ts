/** A Worker with a database of D1 that tells which cases of conformance hold there. */
import { conformanceCases } from "@x/auth/adapters/conformance";
import { type D1Connection, sqliteAdapter } from "@x/auth/adapters/sqlite";

interface Env {
  readonly DB: D1Connection;
}

const TABLES = [
  "account",
  "session",
  "verificationToken",
  "authenticator",
  "onceMark",
  "authRecord",
  "authBucket",
  "user",
];

export default {
  async fetch(_request: Request, { DB }: Env): Promise<Response> {
    const verdicts: Record<string, string | null> = {};
    const cases = conformanceCases(async () => {
      // The first adapter makes the tables. Making them each time would take most of the time.
      await sqliteAdapter(DB).getUser("nobody");
      await DB.batch(TABLES.map((name) => DB.prepare(`delete from "${name}"`)) as never[]);
      let clock = Date.UTC(2031, 0, 1);
      const adapter = sqliteAdapter(DB, { now: () => clock });
      return { adapter, now: { set: (milliseconds) => void (clock = milliseconds) } };
    });
    for (const { name, run } of cases) verdicts[name] = await run().then(() => null, (error: unknown) => String(error));
    return Response.json(verdicts);
  },
};
