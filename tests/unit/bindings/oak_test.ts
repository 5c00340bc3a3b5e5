import { getSession, OakAuth, type OakContext, type OakState } from "../../../bindings/oak.ts";
import { handle, tellStories } from "./_stories.ts";

/** The members of a context of Oak. On Deno its request has a `source`, on Node it has none. */
function contextOf(source: Request, hasSource: boolean) {
  const headers = new Headers();
  const response: OakContext["response"] = {
    headers,
    status: 404,
    body: null,
    redirect(url) {
      response.status = 302;
      headers.set("location", url);
    },
  };
  const context: OakContext = {
    state: {},
    request: {
      url: new URL(source.url),
      method: source.method,
      headers: source.headers,
      source: hasSource ? source : undefined,
      body: { stream: source.body },
    },
    response,
  };
  return { context, end: () => new Response(response.body as BodyInit | null, { status: response.status, headers }) };
}

for (const [runtime, hasSource] of [["Deno", true], ["Node", false]] as const) {
  tellStories(`Oak on ${runtime}`, (config) => {
    const auth = OakAuth(config);
    return async (request) => {
      const { context, end } = contextOf(request, hasSource);
      await auth.middleware(context, async () => {
        const left = async (act: Promise<void>) => {
          await act;
          return end();
        };
        const answer = await handle(request, {
          session: () => (context.state as OakState).session,
          read: () => getSession(context, config),
          signIn: (...args) => left(auth.signIn(context, ...args)),
          signOut: (options) => left(auth.signOut(context, options)),
          update: (patch) => auth.update(context, patch),
        });
        if (answer.status === 302) return;
        context.response.status = answer.status;
        context.response.body = await answer.text();
        for (const [name, value] of answer.headers) context.response.headers.set(name, value);
      });
      return end();
    };
  });
}
