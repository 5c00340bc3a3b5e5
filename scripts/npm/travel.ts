/**
 * Sessions that cross runtimes: each makes some, in cookies and in one SQLite file, and each opens those of all.
 *
 * @module
 */
import { run } from "./run.ts";
import type { OtherRuntime } from "./runtimes.ts";
import type { Passport } from "./traveller.ts";

const PROGRAM = "scripts/npm/traveller.ts";

/** Tries all pairs, Deno with its sources among them. Gives how many were tried, and what is wrong. */
export async function travel(
  runtimes: readonly OtherRuntime[],
  installed: string,
): Promise<{ readonly tried: number; readonly problems: readonly string[] }> {
  const folder = await Deno.makeTempDir();
  try {
    const hosts = [
      {
        name: "Deno",
        ask: (args: string[]) => run(Deno.execPath(), ["run", "--no-check", "--allow-all", PROGRAM, ...args]),
      },
      ...runtimes.map(({ name, command }) => {
        return { name, ask: (args: string[]) => run(command, [`./${PROGRAM}`, ...args], { cwd: installed }) };
      }),
    ];
    const database = `${folder}/auth.db`;
    const passports: Passport[] = [];
    for (const { name, ask } of hosts) {
      passports.push(...JSON.parse(await ask([name, database])) as Passport[]);
    }
    const problems: string[] = [];
    for (const { name, ask } of hosts) {
      const opened = JSON.parse(await ask([name, database, JSON.stringify(passports)])) as (string | null)[];
      const closed = passports.filter((passport, index) => opened[index] !== passport.name);
      problems.push(
        ...closed.map((passport) => `${name} does not open what ${passport.name} made (${passport.strategy})`),
      );
    }
    return { tried: hosts.length * passports.length, problems };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
