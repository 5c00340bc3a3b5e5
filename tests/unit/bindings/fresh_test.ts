import { FreshAuth, type FreshState, getSession } from "../../../bindings/fresh.ts";
import { handle, tellStories } from "./_stories.ts";

/** Fresh, as far as the binding sees it: a middleware before the handler of a route. */
tellStories("Fresh", (config) => {
  const auth = FreshAuth(config);
  return (req) => {
    const context = { req, state: {} as FreshState };
    const next = () =>
      handle(req, {
        session: () => context.state.session,
        read: () => getSession(req, config),
        require: (options) => auth.require(context, options),
        signIn: (...args) => auth.signIn(context, ...args),
        signOut: (options) => auth.signOut(context, options),
        update: (patch) => auth.update(context, patch),
      });
    return auth.middleware({ ...context, next });
  };
});
