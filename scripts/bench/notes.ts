/**
 * Footnotes: where the same answer is not the same work.
 *
 * @module
 */

/** The notes by name. */
export const NOTES = {
  reseals: "@auth/core seals a new cookie at every reading; @x/auth once a day; better-auth when its cached copy ends.",
  remembers: "@x/auth remembers the tokens it opened last; the others open them again.",
  pool: "4000 cookies in turn, more than @x/auth remembers (better-auth, which remembers none: 500).",
  map: "The same adapter of two maps under both.",
  wal: "WAL and synchronous=FULL on both sides.",
  uncached: "better-auth without the copy of the session in a cookie, which would not ask the database.",
  tables: "better-auth also keeps users and sessions in tables, here in memory; sessions are emptied between rounds.",
  json: "better-auth takes and answers JSON and checks the origin, the others take a form with a CSRF token.",
  plain: "Passwords are compared as they are, on all sides: a hash would outweigh everything else.",
  emails: "better-auth asks GitHub for the list of e-mail addresses too.",
  discovers: "@auth/core asks for the issuer's metadata at every callback; @x/auth keeps it for an hour.",
  signature: "@x/auth verifies the signature of the id_token; @auth/core relies on the connection it came over.",
  gone: "The session of better-auth is no longer in its table, so only cookies are left to remove.",
  floor: "The floor reads the cookie header and answers `null` with the headers of @x/auth.",
  bare: "The floor is the runtime itself, with one `Response`.",
  lazy: "What is loaded at the start. Everything, with what only some requests load, is in the second row.",
  installed: "All are installed from npm, @x/auth from the package that `scripts/build_npm.ts` makes.",
} as const satisfies Readonly<Record<string, string>>;

/** Names a note. */
export type NoteName = keyof typeof NOTES;
