import type { SvelteKitLocals } from "@x/auth/sveltekit";

declare global {
  namespace App {
    interface Locals extends SvelteKitLocals {}
  }
}
