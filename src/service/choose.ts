/**
 * The configuration that a function chooses for each request.
 *
 * The function may return the same object each time, and change it. So the object is copied before the next call.
 *
 * @module
 */
import type { AuthConfig, AuthConfigSource } from "../contract/config.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { isObject, isThenable } from "../kernel/objects.ts";
import type { Runtime } from "../kernel/runtime.ts";
import { byContents } from "./by_contents.ts";
import { failures } from "./failures.ts";

type Choose = Extract<AuthConfigSource, (...given: never) => unknown>;

/** What is made of a choice. In an object, because a promise would be waited for within the deadline of the function. */
interface Taken<T> {
  readonly made: Promise<T>;
}

/** Seconds that a configuration function may take: its `timeouts` are not known before it returns. */
const DEADLINE = 10;

/**
 * Makes a function that gives each request what is made of its configuration: the same, however often it is asked for.
 *
 * @param make Gets a copy of the configuration. It is asked once for the same content of an object, unless it fails.
 */
export function chooseBy<T>(
  choose: Choose,
  runtime: Runtime,
  make: (config: AuthConfig) => Promise<T>,
): (request: Request) => Promise<T> {
  const chosen = new WeakMap<Request, Promise<Taken<T>>>();
  const known = byContents((config, forget) => {
    const made = make(config);
    made.catch(forget); // the next request tries again
    return made;
  });
  const take = (given: unknown): Taken<T> => ({ made: isConfig(given) ? known(given) : refused(given) });
  const inTurn = oneAfterTheOther();

  return async (request) => {
    const taken = chosen.get(request) ?? inTurn(() =>
      withDeadline(runtime, DEADLINE, "the configuration", () => {
        const given: unknown = choose(request);
        return isThenable(given) ? Promise.resolve(given).then(take) : take(given);
      })
    );
    chosen.set(request, taken);
    try {
      return await (await taken).made;
    } catch (error) {
      chosen.delete(request);
      throw error;
    }
  };
}

/** Whether something can be a configuration at all. */
export function isConfig(given: unknown): given is AuthConfig {
  return isObject(given) && !isThenable(given);
}

async function refused(given: unknown): Promise<never> {
  throw (await failures()).noConfig(given, true);
}

/**
 * Makes a function that runs simultaneous calls one after the other for as long as they return at once: the result of the
 * first call is taken before the second call starts. A call that takes longer does not delay the others.
 */
function oneAfterTheOther(): <R>(call: () => Promise<R>) => Promise<R> {
  let last: Promise<unknown> | null = null;
  return (call) => {
    const begun = last?.then(() => ({ result: call() }));
    const result = begun ? begun.then((each) => each.result) : call();
    const turn = last = Promise.resolve(begun);
    void turn.then(() => {
      if (last === turn) last = null;
    });
    return result;
  };
}
