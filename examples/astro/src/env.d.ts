import type { AstroLocals } from "@x/auth/astro";
import type { auth } from "./auth";

declare global {
  namespace App {
    interface Locals extends AstroLocals<typeof auth.$infer.Session> {}
  }
}
