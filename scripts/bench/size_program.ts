/**
 * Measures what storage costs with few users and with many. Its input is a {@linkcode SizeTiming}, its result a list of
 * {@linkcode MeasuredSize}.
 *
 * @module
 */
import { type Contender, measureInTurns } from "./measure.ts";
import { gitHubUser, withoutNetwork } from "./network.ts";
import { finish, readInput, tell } from "./program.ts";
import type { MeasuredSize, SizedStoreName, SizeTiming } from "./size.ts";
import { contenderFor, OPERATIONS } from "./size_operations.ts";
import { FILLED, type FilledStore } from "./size_stores.ts";

const timing = readInput<SizeTiming>();

async function measureStore(name: SizedStoreName): Promise<MeasuredSize[]> {
  const counts = [timing.few, name === "Deno KV" ? timing.manyInKv : timing.many] as const;
  const filled: FilledStore[] = [];
  for (const count of counts) {
    tell(`${name}, storing ${count} users`);
    filled.push(await FILLED[name](count));
  }
  const measured: MeasuredSize[] = [];
  for (const operation of OPERATIONS) {
    tell(`${name}, ${operation.name}`);
    const contenders: Contender[] = filled.map((store) => contenderFor(operation, store));
    const rounds = [...(await withoutNetwork(() => measureInTurns(contenders, timing), gitHubUser)).values()];
    const [few = [], many = []] = rounds;
    measured.push({ store: name, operation: operation.name, counts, few, many });
  }
  for (const { close } of filled) await close();
  return measured;
}

const measured: MeasuredSize[] = [];
for (const name of ["SQLite", "PostgreSQL", "Deno KV"] as const) measured.push(...await measureStore(name));
finish(measured);
