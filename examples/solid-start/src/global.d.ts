import type { SolidLocals } from "@x/auth/solid-start";

declare global {
  namespace App {
    interface RequestEventLocals extends SolidLocals {}
  }
}
