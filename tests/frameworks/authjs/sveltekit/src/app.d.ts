import type { DefaultSession } from "@auth/sveltekit";

declare module "@auth/sveltekit" {
  interface Session {
    provider?: string;
    user: { role?: "admin" | "member" } & DefaultSession["user"];
  }
}

declare module "@auth/core/jwt" {
  interface JWT {
    role?: "admin" | "member";
    provider?: string;
  }
}

declare global {
  namespace App {
    interface Locals {
      staff: boolean;
    }
    interface Platform {
      env?: Record<string, string>;
    }
  }
}
