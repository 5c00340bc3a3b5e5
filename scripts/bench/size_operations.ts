/**
 * What is asked of a service whose storage is full: each request is made ready first, and only storage is timed.
 *
 * @module
 */
import { type Adapter, createAuth, type Handler } from "@x/auth";
import { github } from "@x/auth/providers/github";
import { type Contender, summarize } from "./measure.ts";
import { ADA, authRequest, CLIENT, cookiesOf, SECRET } from "./sides/side.ts";
import { type FilledStore, idOfUser, tokenOfSession } from "./size_stores.ts";

const COOKIE = "authjs.session-token";
const DAY = 24 * 60 * 60 * 1000;

/** A service on storage that is timed. */
interface World {
  readonly handler: Handler;
  readonly adapter: Adapter;
  /** The milliseconds that storage has taken so far. */
  readonly spent: () => number;
}

/** Something to ask. */
export interface Operation {
  readonly name: string;
  /** Makes the request of a user, and what it needs. */
  readonly prepare: (world: World, user: number) => Promise<Request>;
  /** What the answer has to be. */
  readonly isRight: (response: Response, text: string) => boolean;
  /** Takes back what would make storage grow. */
  readonly undo?: (world: World, response: Response) => Promise<void>;
}

/** The operations that are measured. */
export const OPERATIONS: readonly Operation[] = [
  {
    name: "read a session",
    prepare: (_world, user) => Promise.resolve(authRequest("session", `${COOKIE}=${tokenOfSession(user)}`)),
    isRight: (response, text) => text.includes(ADA.name) && response.headers.getSetCookie().length === 0,
  },
  {
    name: "sign in with GitHub",
    prepare: async ({ handler }, user) => {
      const form = await openForm(handler);
      const started = await handler(authRequest("signin/github", form.cookie, { csrfToken: form.csrfToken }));
      const state = new URL(started.headers.get("location") ?? "").searchParams.get("state") ?? "";
      const params = new URLSearchParams({ code: `user-${user}`, state });
      return authRequest(`callback/github?${params}`, `${form.cookie}; ${cookiesOf(started)}`);
    },
    isRight: (response) => response.status === 302 && cookiesOf(response).includes(COOKIE),
    undo: async ({ adapter }, response) => {
      const [, token = ""] = new RegExp(`${COOKIE}=([^;]+)`).exec(cookiesOf(response)) ?? [];
      await adapter.deleteSession?.(token);
    },
  },
  {
    name: "sign out",
    prepare: async ({ handler, adapter }, user) => {
      const sessionToken = crypto.randomUUID();
      await adapter.createSession?.({ sessionToken, userId: idOfUser(user), expires: new Date(Date.now() + 30 * DAY) });
      const { cookie, csrfToken } = await openForm(handler);
      return authRequest("signout", `${cookie}; ${COOKIE}=${sessionToken}`, { csrfToken });
    },
    isRight: (response) => response.status === 302 && !cookiesOf(response).includes(COOKIE),
  },
  {
    name: "renew a session",
    prepare: async ({ adapter }, user) => {
      const sessionToken = tokenOfSession(user);
      await adapter.updateSession?.({ sessionToken, expires: new Date(Date.now() + 10 * DAY) });
      return authRequest("session", `${COOKIE}=${sessionToken}`);
    },
    isRight: (response, text) => text.includes(ADA.name) && cookiesOf(response).includes(COOKIE),
  },
];

async function openForm(handler: Handler): Promise<{ readonly cookie: string; readonly csrfToken: string }> {
  const response = await handler(authRequest("csrf"));
  const { csrfToken } = await response.json() as { readonly csrfToken: string };
  return { cookie: cookiesOf(response), csrfToken };
}

/**
 * Makes a contender of an operation on one storage. Each answer counts with the median: what storage does now and then,
 * such as moving many changes into its file at once, would count for those answers that happen to wait for it.
 */
export function contenderFor({ name, prepare, isRight, undo }: Operation, store: FilledStore): Contender {
  const world = worldOf(store);
  let asked = 0;
  const run = async (times: number): Promise<number> => {
    const taken: number[] = [];
    for (let left = times; left > 0; left -= AT_A_TIME) {
      const requests: Request[] = [];
      // Each time another user. The step has no divisor in common with the number of users, so that all have their turn.
      const users = Array.from({ length: Math.min(left, AT_A_TIME) }, () => 1 + asked++ * 7919 % store.count);
      for (const user of users) requests.push(await prepare(world, user));
      for (const request of requests) {
        const before = world.spent();
        const response = await world.handler(request);
        taken.push(world.spent() - before);
        const text = await response.text();
        if (!isRight(response, text)) {
          throw new Error(
            `Cannot measure "${name}" with ${store.count} users: ${response.status} ${text.slice(0, 200)}`,
          );
        }
        await undo?.(world, response);
      }
    }
    return summarize(taken).median * times;
  };
  return { name: String(store.count), run };
}

/** Requests that are made ready at a time. They have to be different users. */
const AT_A_TIME = 50;

function worldOf({ adapter }: FilledStore): World {
  let spent = 0;
  const timed = Object.entries(adapter).map(([name, act]) => {
    return [name, async (...args: unknown[]): Promise<unknown> => {
      const start = performance.now();
      try {
        return await (act as (...args: unknown[]) => unknown)(...args);
      } finally {
        spent += performance.now() - start;
      }
    }];
  });
  const { handler } = createAuth({
    adapter: Object.fromEntries(timed) as Adapter,
    providers: [github(CLIENT)],
    secret: SECRET,
    trustHost: true,
    basePath: "/auth",
    logger: { warn: () => {} },
  });
  return { handler, adapter, spent: () => spent };
}
