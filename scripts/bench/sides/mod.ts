/**
 * All sides, each loaded only where it is made: a server of one library must not carry the others.
 *
 * @module
 */
import type { Setup, Side, SideName } from "./side.ts";

/** Makes a side. The floor needs the headers that this library answers with. */
export async function makeSide(name: SideName, setup: Setup, headers: Iterable<[string, string]>): Promise<Side> {
  switch (name) {
    case "@x/auth":
      return await (await import("./ours.ts")).ours(setup);
    case "@auth/core":
      return (await import("./auth_core.ts")).authCore(setup);
    case "better-auth":
      return await (await import("./better_auth.ts")).betterAuth(setup);
    case "floor":
      return (await import("./floor.ts")).floor(headers);
    default:
      return name satisfies never;
  }
}

/** The headers of our answer that holds no session, whatever they are today. */
export async function ourHeaders(): Promise<[string, string][]> {
  const { ask } = await import("./side.ts");
  const { answer } = await makeSide("@x/auth", { kind: "github", count: 1 }, []);
  return [...(await answer(ask("session"))).headers];
}
