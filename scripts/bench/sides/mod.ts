/**
 * Makes sides. Each library is loaded on its own, so that its server does not contain the others.
 *
 * @module
 */
import type { Setup, Side, SideName } from "./side.ts";

/** Makes a side. @param headers The headers of the floor. */
export async function makeSide(name: SideName, setup: Setup, headers: Iterable<[string, string]>): Promise<Side> {
  switch (name) {
    case "@x/auth":
      return await (await import("./ours.ts")).ours(setup);
    case "@auth/core":
      return await (await import("./auth_core.ts")).authCore(setup);
    case "better-auth":
      return await (await import("./better_auth.ts")).betterAuth(setup);
    case "floor":
      return await (await import("./floor.ts")).floor(setup, headers);
    default:
      return name satisfies never;
  }
}

/** Returns the headers of our answer without a session. */
export async function ourHeaders(): Promise<[string, string][]> {
  const { authRequest } = await import("./side.ts");
  const { answer } = await makeSide("@x/auth", { kind: "github" }, []);
  return [...(await answer(authRequest("session"))).headers];
}
