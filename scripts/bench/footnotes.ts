/**
 * The footnotes of the tables: where the same answer is not the same work.
 *
 * @module
 */

/** The footnotes by name. */
export const FOOTNOTES = {
  reseals:
    "@auth/core seals a new cookie for every request, @x/auth once a day, better-auth when its cached copy expires.",
  remembers: "@x/auth remembers the claims of the cookies that it opened last, the others decrypt the cookie again.",
  pool: "4000 cookies in turn, more than @x/auth remembers (better-auth: 500).",
  map: "The same adapter of two maps under both.",
  wal: "WAL and synchronous=FULL on both sides.",
  uncached: "better-auth without its copy of the session in a cookie, so that it reads the database.",
  sameTables: "@auth/core with @auth/pg-adapter, in the same tables; better-auth with its own in the same database.",
  alone: "A file. The others have no adapter for Deno KV.",
  tables:
    "better-auth also keeps users and sessions in tables, here in memory. The sessions are removed between rounds.",
  json: "better-auth reads and writes JSON and checks the origin, the others read a form with a CSRF token.",
  plain: "Passwords are compared without a hash on all sides: it would outweigh everything else.",
  emails: "better-auth also asks GitHub for the list of email addresses.",
  discovers: "@auth/core requests the metadata of the issuer at every callback, @x/auth keeps it for an hour.",
  signature: "@x/auth verifies the signature of the id_token, @auth/core relies on the TLS connection.",
  gone: "better-auth no longer has the session in its table, so it only removes cookies.",
  express: "@x/auth with `nodeListener`, @auth/core with @auth/express, better-auth with `toNodeHandler`.",
  floor: "The floor reads the cookie header and answers `null` with the headers of @x/auth.",
  floorRow:
    "The floor reads the cookie header and one row by its key, with the same driver and a prepared statement (in Deno KV " +
    "one entry), and answers `null` with the headers of @x/auth.",
  bare: "The floor is the runtime itself, with one `Response`.",
  lazy:
    "The first row is what loads at the start. The second adds what the first request loads, about 10 kB of @x/auth, and " +
    "what only some requests load.",
  installed: "All libraries are installed with npm, @x/auth from the package that `scripts/build_npm.ts` builds.",
} as const satisfies Readonly<Record<string, string>>;

/** The name of a footnote. */
export type FootnoteName = keyof typeof FOOTNOTES;
