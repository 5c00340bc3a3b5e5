import type { SvelteKitLocals } from "@x/auth/sveltekit";
import type { auth } from "./lib/server/auth";

declare global {
  namespace App {
    interface Locals extends SvelteKitLocals<typeof auth.$infer.Session> {}
  }
}
