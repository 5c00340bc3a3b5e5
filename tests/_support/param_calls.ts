/**
 * Counts how often parameters are set, added or removed one by one: each time all of them are looked at, and those of a
 * URL are written and read anew.
 *
 * @param run What is watched.
 * @returns The number of calls.
 */
export async function paramCallsOf(run: () => unknown): Promise<number> {
  const { prototype } = URLSearchParams;
  const { set, append, delete: remove, getAll } = prototype;
  let calls = 0;
  const counted = <A extends unknown[], R>(method: (this: URLSearchParams, ...args: A) => R) => {
    return function (this: URLSearchParams, ...args: A): R {
      calls++;
      return method.apply(this, args);
    };
  };
  Object.assign(prototype, {
    set: counted(set),
    append: counted(append),
    delete: counted(remove),
    getAll: counted(getAll),
  });
  try {
    await run();
  } finally {
    Object.assign(prototype, { set, append, delete: remove, getAll });
  }
  return calls;
}
