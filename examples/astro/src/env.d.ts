declare namespace App {
  interface Locals extends import("@x/auth/astro").AstroLocals {}
}
