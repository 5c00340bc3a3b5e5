/**
 * Stands for Fresh 2, which is not on npm, when the programs of its page are compiled and run: an application with
 * middlewares and routes, and the members of a context that they use.
 *
 * @module
 */

/** What a middleware or a handler gets. */
export interface Context<State> {
  readonly req: Request;
  readonly url: URL;
  readonly params: Record<string, string>;
  readonly state: State;
  next(): Promise<Response>;
}

/** Answers a request, or has the next one do it. */
export type Middleware<State> = (ctx: Context<State>) => Response | Promise<Response>;

interface Step<State> {
  readonly run: Middleware<State>;
  readonly method?: string;
  readonly pattern?: URLPattern;
}

/** An application: a request passes its steps from the first to the last. */
export class App<State> {
  readonly #steps: Step<State>[] = [];

  /** Adds what runs for each request. */
  use(...middlewares: readonly Middleware<State>[]): this {
    for (const run of middlewares) this.#steps.push({ run });
    return this;
  }

  /** Answers a path. */
  get(path: string, run: Middleware<State>): this {
    return this.#add(run, path, "GET");
  }

  /** Answers what is posted to a path. */
  post(path: string, run: Middleware<State>): this {
    return this.#add(run, path, "POST");
  }

  /** Answers a path, with any method. */
  all(path: string, run: Middleware<State>): this {
    return this.#add(run, path);
  }

  /** Adds routes of files, which this one does not have. */
  fsRoutes(): this {
    return this;
  }

  /** Gives what answers a request. */
  handler(): (request: Request) => Promise<Response> {
    return async (req) => {
      const url = new URL(req.url);
      const state = {} as State;
      const from = async (at: number): Promise<Response> => {
        const step = this.#steps[at];
        if (!step) return new Response("Not Found", { status: 404 });
        const found = step.pattern?.exec({ pathname: url.pathname });
        if (found === null || (step.method && step.method !== req.method)) return await from(at + 1);
        const params = found?.pathname.groups as Record<string, string> | undefined;
        return await step.run({ req, url, params: params ?? {}, state, next: () => from(at + 1) });
      };
      return await from(0);
    };
  }

  /** Serves it. */
  async listen(): Promise<void> {
    await Promise.resolve(Deno.serve(this.handler()));
  }

  #add(run: Middleware<State>, pathname: string, method?: string): this {
    this.#steps.push({ run, pattern: new URLPattern({ pathname }), ...method && { method } });
    return this;
  }
}

/** Gives files, of which there are none. */
export function staticFiles<State>(): Middleware<State> {
  return (ctx) => ctx.next();
}
