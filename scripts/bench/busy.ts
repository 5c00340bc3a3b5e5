/**
 * Keeps the other cores busy.
 *
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { thisRuntime } from "./runtime_kind.ts";

/** Runs a function while a process for each core but one does nothing but loop. */
export async function withBusyCores<T>(run: () => Promise<T>): Promise<T> {
  const loops: ChildProcess[] = [];
  const stop = (): void => loops.forEach((loop) => loop.kill("SIGKILL"));
  process.once("exit", stop);
  try {
    const args = [thisRuntime() === "deno" ? "eval" : "-e", "for (;;);"];
    while (loops.length < navigator.hardwareConcurrency - 1) {
      loops.push(spawn(process.execPath, args, { stdio: "ignore" }));
    }
    return await run();
  } finally {
    stop();
    process.removeListener("exit", stop);
  }
}
