/**
 * Checks that a session created on one runtime opens on every other: in a cookie, and in one SQLite file.
 *
 * @module
 */
import { run } from "./run.ts";
import type { OtherRuntime } from "./runtimes.ts";
import type { CreatedSession } from "./session_program.ts";

const PROGRAM = "scripts/npm/session_program.ts";

/** Tries all pairs of runtimes, among them Deno with the sources. Returns how many were tried, and what failed. */
export async function exchangeSessions(
  others: readonly OtherRuntime[],
  installed: string,
): Promise<{ readonly tried: number; readonly problems: readonly string[] }> {
  const folder = await Deno.makeTempDir();
  try {
    const runtimes = [
      {
        name: "Deno",
        ask: (args: string[]) => run(Deno.execPath(), ["run", "--no-check", "--allow-all", PROGRAM, ...args]),
      },
      ...others.map(({ name, command }) => {
        return { name, ask: (args: string[]) => run(command, [`./${PROGRAM}`, ...args], { cwd: installed }) };
      }),
    ];
    const database = `${folder}/auth.db`;
    const created: CreatedSession[] = [];
    for (const { name, ask } of runtimes) {
      created.push(...JSON.parse(await ask([name, database])) as CreatedSession[]);
    }
    const problems: string[] = [];
    for (const { name, ask } of runtimes) {
      const users = JSON.parse(await ask([name, database, JSON.stringify(created)])) as (string | null)[];
      const failed = created.filter((session, index) => users[index] !== session.name);
      problems.push(
        ...failed.map((session) => `${name} cannot open the ${session.strategy} session of ${session.name}`),
      );
    }
    return { tried: runtimes.length * created.length, problems };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
