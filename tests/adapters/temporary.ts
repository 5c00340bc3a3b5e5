/** Files that are gone when a test is over. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Gives the path of a file in a folder of its own. */
export async function temporaryFile(name: string): Promise<{ path: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "adapter-"));
  return { path: join(folder, name), remove: () => rm(folder, { recursive: true, force: true }) };
}
