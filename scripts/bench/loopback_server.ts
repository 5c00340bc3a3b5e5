/**
 * One side behind a socket, in a process of its own. Its arguments are a name and the headers of the floor; its first
 * line says where it listens and what to ask.
 *
 * @module
 */
import { say } from "../say.ts";
import { makeSide } from "./sides/mod.ts";
import { type Ask, NAMES } from "./sides/side.ts";

/** What is asked over the network. */
export const LOOPBACK_ASKS = ["session-none", "session-known", "csrf-known"] as const satisfies readonly Ask[];

/** A request to send, and how the text of its answer begins. */
export interface Target {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly begin: string;
}

/** The first line of a server. */
export interface Announcement {
  readonly port: number;
  readonly targets: Readonly<Partial<Record<Ask, Target>>>;
}

async function serve(given: string | undefined, headers: Iterable<[string, string]>): Promise<void> {
  const name = NAMES.find((each) => each === given);
  if (!name) throw new TypeError(`Cannot serve "${given}": there is no such side`);
  const { answer, asks } = await makeSide(name, { kind: "github", count: 1 }, headers);
  const targets: Partial<Record<Ask, Target>> = {};
  for (const ask of LOOPBACK_ASKS) {
    const question = await asks[ask]?.();
    if (!question) continue;
    const request = question.request(0);
    const response = await answer(request);
    const text = await response.clone().text();
    const problem = response.status === question.status ? await question.fault(response) : `has ${response.status}`;
    if (problem) throw new Error(`Cannot serve: the answer of ${name} ${problem}`);
    const { pathname, search } = new URL(request.url);
    // The end of a session is another one at each answer; how it begins is not.
    targets[ask] = { path: pathname + search, headers: Object.fromEntries(request.headers), begin: text.slice(0, 8) };
  }
  const onListen = ({ port }: Deno.NetAddr): void => say(JSON.stringify({ port, targets } satisfies Announcement));
  Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, (request) => answer(request));
}

if (import.meta.main) {
  const [name, headers = "[]"] = Deno.args;
  await serve(name, JSON.parse(headers) as [string, string][]);
}
