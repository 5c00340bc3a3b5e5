import type { Mutant } from "./_mutant.ts";

const FILE = "src/node.ts";
const BRIDGE = ["tests/unit/node_test.ts"];

/** What happens between a server of `node:http` and the handler. */
export const node: readonly Mutant[] = [
  {
    name: "NODE-1: an answer goes on for a client that went away",
    file: FILE,
    find: "if (!outgoing.writableFinished) gone.abort();",
    replace: "",
    tests: BRIDGE,
  },
  {
    name: "NODE-2: an answer that arrived counts as given up",
    file: FILE,
    find: "if (!outgoing.writableFinished) gone.abort();",
    replace: "gone.abort();",
    tests: BRIDGE,
  },
  {
    name: "NODE-3: a client that reads slowly fills the memory",
    file: FILE,
    find: "if (!outgoing.write(piece.value)) await drained(outgoing, gone);",
    replace: "outgoing.write(piece.value);",
    tests: BRIDGE,
  },
  {
    name: "NODE-4: a body that nobody reads fills the memory",
    file: FILE,
    find: "if (buffered.length >= MAX_BUFFERED) incoming.pause();",
    replace: "",
    tests: BRIDGE,
  },
  {
    name: "NODE-4: a request is paused after each piece, and keeps an object for each byte",
    file: FILE,
    find: "if (buffered.length >= MAX_BUFFERED) incoming.pause();",
    replace: "incoming.pause();",
    tests: BRIDGE,
  },
  {
    name: "NODE-4: what waits of a body is dropped at its end",
    file: FILE,
    find: "if (buffered.length > 0) controller.enqueue(buffered.take());",
    replace: "",
    tests: BRIDGE,
  },
  {
    name: "NODE-5: cookies that were set before are lost",
    file: FILE,
    find: "[...cookiesOf(outgoing), ...cookies]",
    replace: "cookies",
    tests: BRIDGE,
  },
  {
    name: "NODE-6: several cookies become one",
    file: FILE,
    find: 'if (name !== "set-cookie") outgoing',
    replace: "outgoing",
    tests: BRIDGE,
  },
  {
    name: "NODE-7: of a repeated header the last one counts",
    file: FILE,
    find: "all.append(name, value);",
    replace: "all.set(name, value);",
    tests: BRIDGE,
  },
  {
    name: "NODE-8: a target that is a URL names the site",
    file: FILE,
    find: "const host = hostOf(incoming) ?? authority ??",
    replace: "const host = authority ?? hostOf(incoming) ??",
    tests: BRIDGE,
  },
  {
    name: "NODE-9: any text passes for a host",
    file: FILE,
    find: "if (!isHost(host)) throw",
    replace: "if (!host) throw",
    tests: BRIDGE,
  },
  {
    name: "NODE-10: https is taken for http",
    file: FILE,
    find: 'socket.encrypted ? "https"',
    replace: 'socket.encrypted ? "http"',
    tests: BRIDGE,
  },
  {
    name: "NODE-11: one visitor has two addresses",
    file: FILE,
    find: '.replace(/^::ffff:(?=\\d+\\.)/, "")',
    replace: "",
    tests: BRIDGE,
  },
  {
    name: "NODE-12: a body that broke off looks whole",
    file: FILE,
    find: "outgoing.destroy(error instanceof Error ? error : undefined);",
    replace: 'outgoing.end("");',
    tests: BRIDGE,
  },
  {
    name: "NODE-13: a target that is a URL is refused",
    file: FILE,
    find: "const [, authority, rest = originalUrl] = ABSOLUTE.exec(originalUrl) ?? [];",
    replace: "const [, authority, rest = originalUrl] = ABSOLUTE.exec(originalUrl.slice(1)) ?? [];",
    tests: BRIDGE,
  },
  {
    name: "NODE-14: of two hosts the first is believed",
    file: FILE,
    find: 'text.toLowerCase() === "host").length > 1',
    replace: 'text.toLowerCase() === "host").length > 2',
    tests: BRIDGE,
  },
  {
    name: "NODE-15: what HTTP/2 sends beside headers is taken for headers",
    file: FILE,
    find: 'if (!name.startsWith(":")) all.append',
    replace: "all.append",
    tests: BRIDGE,
  },
  {
    name: "NODE-16: HTTP/2 may name two hosts",
    file: FILE,
    find: " || (host && authority && host !== authority)",
    replace: "",
    tests: BRIDGE,
  },
  {
    name: "NODE-17: what is refused may be kept by caches and put into frames",
    file: FILE,
    find:
      'for (const [name, value] of securityHeaders("json", Boolean(socket.encrypted))) outgoing.setHeader(name, value);',
    replace: "void [socket, securityHeaders];",
    tests: BRIDGE,
  },
];
