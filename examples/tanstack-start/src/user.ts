import { createServerFn } from "@tanstack/react-start";
import { sessions } from "./start";

/** Gives who is signed in. */
export const getUser = createServerFn()
  .middleware([sessions])
  .handler(({ context }) => context.session?.user ?? null);
