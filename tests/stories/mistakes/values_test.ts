/** Options whose values are not what they have to be. */
import { createAuth } from "@x/auth";
import { ERROR_PAGE, tellMistakes } from "./_table.ts";

tellMistakes([
  {
    name: "no secret is set",
    env: { AUTH_SECRET: undefined },
    make: () => createAuth({ providers: [] }).handler,
    see: ERROR_PAGE,
    log: /Cannot start without a secret/,
    says: ["`secret`", "AUTH_SECRET"],
  },
]);
