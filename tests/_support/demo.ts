import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "./free_port.ts";

/** The demo while it runs. */
export interface Demo {
  readonly site: string;
  readonly idp: string;
  close(): Promise<void>;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Starts the demo as `deno task demo` does, with its permissions, on ports that are free, in a folder of its own. */
export async function startDemo(options: readonly string[] = []): Promise<Demo> {
  const { tasks } = JSON.parse(await readFile(`${ROOT}deno.json`, "utf8"));
  const args = tasks.demo.split(" ").slice(1).map((word: string) => word.endsWith(".ts") ? `${ROOT}${word}` : word);
  const cwd = await mkdtemp(join(tmpdir(), "demo-"));
  const [port, idpPort] = [await freePort(), await freePort()];
  const demo = spawn(Deno.execPath(), [...args, `--port=${port}`, `--idp-port=${idpPort}`, ...options], { cwd });
  const ended = new Promise<void>((resolve) => demo.once("exit", () => resolve()));
  let output = "";
  const ready = new Promise<void>((resolve) => {
    for (const stream of [demo.stdout, demo.stderr]) {
      stream.on("data", (text) => {
        output += text;
        if (output.includes(`Open http://localhost:${port}`)) resolve();
      });
    }
  });
  await Promise.race([ready, ended]);
  if (demo.exitCode !== null) throw new Error(`Cannot start the demo: ${output}`);
  const close = async () => {
    demo.kill();
    await ended;
    await rm(cwd, { recursive: true, force: true });
  };
  return { site: `http://localhost:${port}`, idp: `http://127.0.0.1:${idpPort}`, close };
}
