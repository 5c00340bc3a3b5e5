/** Races over Deno KV, with two handles on one file as two processes would have. */
import { test } from "node:test";
import { denoKvAdapter } from "../../adapters/deno_kv.ts";
import { RACES, run } from "../unit/adapters/_kv_races.ts";

const ROUNDS = 200;

for (const race of RACES) {
  test(`denoKvAdapter() lets one of 64 concurrent callers win ${race.name} at two handles, ${ROUNDS} times`, async () => {
    const folder = await Deno.makeTempDir();
    const handles = [await Deno.openKv(`${folder}/kv`), await Deno.openKv(`${folder}/kv`)];
    try {
      await run(race, handles.map((kv) => denoKvAdapter(kv)), ROUNDS);
    } finally {
      for (const kv of handles) kv.close();
      await Deno.remove(folder, { recursive: true });
    }
  });
}
