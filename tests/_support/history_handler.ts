/**
 * The services in which histories happen: through the handler, as everybody meets it.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { CompleteAdapter } from "@x/auth";
import type { Passkey } from "./authenticator.ts";
import type { Scene, Stage } from "./histories.ts";
import { applicationOf } from "./history_application.ts";
import { type Act, type OracleOptions, personOf, sessionOptionsOf } from "./oracle_histories.ts";
import { openVisitedService } from "./visitors.ts";
import { testRuntime } from "./runtime.ts";

/** A service over storage that histories may share, met through its handler. */
export function handlerStage(adapterOf: () => CompleteAdapter, strategy: OracleOptions["strategy"]): Stage {
  return {
    strategy,
    demandsRecent: true,
    async open(name) {
      const [adapter, runtime] = [adapterOf(), testRuntime()];
      const service = await openVisitedService({ adapter, runtime, session: sessionOptionsOf(strategy) });
      const visitors = Array.from({ length: 8 }, service.visitor);
      const keys = new Map<number, Passkey>();
      const away = new Map<number, string>();
      const address = (email: string) => `${email}@${name}.test`;
      const at = (browser: number) => visitors[browser] ?? service.visitor();
      const application = applicationOf(adapter, {
        name,
        address,
        credentialID: (key) => Buffer.from(keys.get(key)?.id ?? []).toString("base64"),
        async sessionAt(browser) {
          const session = await at(browser).session();
          return session && { id: session.id, ...(strategy !== "database" && { stamp: session.stamp }) };
        },
      });

      async function act(act: Act): Promise<unknown> {
        switch (act.do) {
          case "leave":
            return away.set(act.browser, await at(act.browser).leave(act.provider));
          case "return": {
            const { sub, email, verified } = act.told;
            const to = away.get(act.browser);
            away.delete(act.browser);
            return to && await at(act.browser).comeBack(to, {
              sub: `${name}-${sub}`,
              ...(email !== null && { email: address(email) }),
              ...(verified !== null && { email_verified: verified }),
            });
          }
          case "register": {
            const made = await at(act.browser).register(address(act.email));
            return made && keys.set(act.key, made);
          }
          case "authenticate": {
            const key = keys.get(act.key);
            return key && await at(act.browser).authenticate(key);
          }
          case "ask":
            return await at(act.browser).ask(address(act.email));
          case "open": {
            const link = service.links.get(address(act.email));
            return link && await at(act.browser).open(link);
          }
          case "password":
            return service.passwords.set(`${personOf(act.browser)}`, await application.password(act));
          case "type":
            return await at(act.browser).type(`${personOf(act.browser)}`);
          case "sign out":
            return await at(act.browser).signOut();
          case "unlink":
            return await application.unlink(act);
          case "move":
            return await application.move(act);
          case "wait":
            return runtime.advance(act.seconds);
          default:
            return act satisfies never;
        }
      }
      return { do: async (what) => void await act(what), inside: (browser) => at(browser).inside() } satisfies Scene;
    },
  };
}
