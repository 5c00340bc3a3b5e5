/** What Deno KV has acknowledged survives the end of the process, and nothing is ever half there. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { denoKvAdapter } from "../../adapters/deno_kv.ts";
import { dump, liveOf, ofKind, problemsOf } from "../unit/adapters/_kv_dump.ts";

/** Files, and how often the process that works on each is killed. */
const FILES = 20;
const KILLS = 10;

/** The longest that a process lives after its first acknowledgement, in milliseconds. */
const LONGEST_LIFE = 100;

const SCRIPT = fileURLToPath(new URL("./_kv_sign_ins.ts", import.meta.url));

/** Lets a process sign people in, kills it, and gives the names it acknowledged. */
async function killedWhileSigningIn(path: string, life: number): Promise<string[]> {
  const args = ["run", "--no-check", "--allow-all", SCRIPT, path, `${life}`];
  const child = new Deno.Command(Deno.execPath(), { args, stdin: "null", stdout: "piped" }).spawn();
  let told = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    if (!told) setTimeout(() => child.kill("SIGKILL"), Math.random() * LONGEST_LIFE);
    told += chunk;
  }
  const { signal } = await child.status;
  assert.equal(signal, "SIGKILL");
  // What follows the last line break was cut off.
  return told.split("\n").slice(0, -1);
}

async function check(path: string, acknowledged: readonly string[]): Promise<void> {
  const kv = await Deno.openKv(path);
  try {
    const adapter = denoKvAdapter(kv);
    for (const name of acknowledged) {
      const found = await adapter.getSessionAndUser(`second-${name}`);
      assert.equal(found?.user.email, `${name}@example.com`);
      assert.ok(found.user.emailVerified);
      assert.deepEqual((await adapter.getRecord({ kind: "password", id: name }))?.data, { hash: name });
    }
    const entries = await dump(kv);
    assert.deepEqual(problemsOf(entries), []);
    const [users, accounts, sessions, records] = [
      ofKind(entries, "user"),
      liveOf(entries, "account"),
      liveOf(entries, "session"),
      liveOf(entries, "record"),
    ];
    const { length } = users ?? [];
    assert.deepEqual([accounts?.length, sessions?.length, records?.length], [length, length, length]);
  } finally {
    kv.close();
  }
}

test(`denoKvAdapter() keeps acknowledged writes through ${FILES * KILLS} kills`, async (t) => {
  const folder = await Deno.makeTempDir();
  t.after(() => Deno.remove(folder, { recursive: true }));
  let total = 0;
  for (let file = 0; file < FILES; file++) {
    const acknowledged: string[] = [];
    for (let life = 0; life < KILLS; life++) {
      acknowledged.push(...await killedWhileSigningIn(`${folder}/${file}`, life));
      await check(`${folder}/${file}`, acknowledged);
    }
    total += acknowledged.length;
  }
  assert.ok(total > FILES * KILLS, `Too few sign-ins for a claim: ${total}`);
});
