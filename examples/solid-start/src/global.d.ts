import type { SolidLocals } from "@x/auth/solid-start";
import type { auth } from "./auth";

declare global {
  namespace App {
    interface RequestEventLocals extends SolidLocals<typeof auth.$infer.Session> {}
  }
}
