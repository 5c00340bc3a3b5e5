import assert from "node:assert/strict";
import { test } from "node:test";
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
  const sent = new Map<string, string | string[]>();
  // Oak on Node goes through the headers and sets each by its name, so that the last of several counts.
  const originalRequest = {
    respond({ headers }: Response): Promise<void> {
      for (const [name, value] of headers) sent.set(name, value);
      return Promise.resolve();
    },
  };
  const context: OakContext = {
    state: {},
    request: {
      url: new URL(source.url),
      method: source.method,
      headers: source.headers,
      ...(hasSource ? { source } : { originalRequest }),
      body: { stream: source.body },
    },
    response,
  };
  const end = async (): Promise<Response> => {
    const answer = new Response(response.body as BodyInit | null, { status: response.status, headers });
    if (hasSource) return answer;
    await originalRequest.respond(answer);
    const lines = [...sent].flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value])
    );
    return new Response(answer.body, { status: answer.status, headers: lines });
  };
  return { context, end };
}

for (const [runtime, hasSource] of [["Deno", true], ["Node", false]] as const) {
  tellStories(`Oak on ${runtime}`, (config) => {
    const auth = OakAuth(config);
    return async (request) => {
      const { context, end } = contextOf(request, hasSource);
      await auth.middleware(context, async () => {
        const left = async (act: Promise<void>) => {
          await act;
          return await end();
        };
        const answer = await handle(request, {
          session: () => (context.state as OakState).session,
          read: () => getSession(context, config),
          require: (options) => auth.require(context, options),
          signIn: (...args) => left(auth.signIn(context, ...args)),
          signOut: (options) => left(auth.signOut(context, options)),
          update: (patch) => auth.update(context, patch),
        });
        if (answer.status === 302) return;
        context.response.status = answer.status;
        context.response.body = await answer.text();
        for (const [name, value] of answer.headers) context.response.headers.set(name, value);
      });
      return await end();
    };
  });
}

for (const [runtime, hasSource] of [["Deno", true], ["Node", false]] as const) {
  test(`Oak on ${runtime}: every cookie of an answer reaches the browser`, async () => {
    const auth = OakAuth({ providers: [], secret: "a random text of at least 32 characters", trustHost: true });
    const { context, end } = contextOf(new Request("http://localhost/"), hasSource);
    const lines = ["first=1; Path=/; Expires=Fri, 01 Jan 2100 00:00:00 GMT", "second=2; Path=/", "third=3"];
    await auth.middleware(context, () => {
      for (const line of lines) context.response.headers.append("set-cookie", line);
      return Promise.resolve();
    });
    assert.deepEqual((await end()).headers.getSetCookie(), lines);
  });
}
