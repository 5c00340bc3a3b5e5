import type { AstroLocals } from "@x/auth/astro";

declare global {
  namespace App {
    interface Locals extends AstroLocals {}
  }
}
