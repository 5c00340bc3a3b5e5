import type { NuxtAuthContext } from "@x/auth/nuxt";
import type { auth } from "../../server/utils/auth";

declare module "h3" {
  interface H3EventContext extends NuxtAuthContext<typeof auth.$infer.Session> {}
}
