/**
 * What a reader may conclude from each table, in plain sentences without figures. Which rows others win is added from
 * the measurements.
 *
 * @module
 */
import type { RuntimeKind } from "./runtime_kind.ts";

const ANSWERS =
  "You may conclude how much processor time the library adds to a request; on a site whose pages take milliseconds, only " +
  "the session counts, because every page view asks for it.";

const HTTP =
  "You may conclude how many such requests one process can answer at most; a site that does more for a page than read the " +
  "session gains less.";

/** The sentences by table. */
export const CONCLUSIONS = {
  answers: {
    deno: ANSWERS,
    node: `${ANSWERS} On Node a large part of the short answers is the \`Response\` itself, as the floor shows.`,
    bun: ANSWERS,
  } satisfies Readonly<Record<RuntimeKind, string>>,
  http: {
    deno: HTTP,
    node: `${HTTP} Below Express a part of each answer is Express itself, as its floor shows.`,
    bun: HTTP,
  } satisfies Readonly<Record<RuntimeKind, string>>,
  start: "You may conclude how long a cold start takes, on a server without other load.",
  bundle:
    "You may conclude how much code a platform loads when it starts, and how much it stores; what is loaded late costs " +
    "nothing until it is needed.",
  install: "You may conclude what `npm install` adds to a folder, not how fast anything runs.",
  connections:
    "You may conclude what taking this library's adapter changes for an application on that connection, with its database " +
    "on the same machine: a database elsewhere adds the way to it to each statement, and a sign-in here is one transaction " +
    "that keeps what was decided true until it is committed, where the other adapters write one statement after another.",
  limits:
    "You may conclude that a page view costs nothing more with limits, and that a sign-in waits for one statement more: about " +
    "a millisecond here, and one round trip with a database elsewhere.",
  passwords: {
    addresses:
      "You may conclude how much one answer tells about whether an address has an account: 0.5 says nothing, and a chance " +
      "within the range by accident cannot be told from 0.5 with this many answers.",
    rush:
      "You may conclude how many sign-ins a process can check, that the others are told to come again instead of waiting " +
      "without an end, and how late everything else in the process is meanwhile: beside each delay stands that of the same " +
      "process when it is idle.",
    reads:
      "You may conclude what listing `password()` adds to a page view: a ratio of 1 is nothing, and of a range that reaches " +
      "far to both sides of 1 only that the machine had other work.",
  },
  size:
    "You may conclude whether an answer takes longer because many people have signed up before: a growth of 1 says that it " +
    "does not. The times are medians, and those of storage alone, for another user each time. To read a session from a " +
    "large file, SQLite asks the operating system for five or six pages, and of a small one it has all at hand: that shows in " +
    "its fastest answers.",
  memory:
    "You may conclude whether a process that serves many keeps something of each: compare a row with the second one, which " +
    "has answered as many requests as the sessions.",
} as const;
