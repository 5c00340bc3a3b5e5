import type { NuxtAuthContext } from "@x/auth/nuxt";

declare module "h3" {
  interface H3EventContext extends NuxtAuthContext {}
}
