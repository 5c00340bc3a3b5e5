import { test } from "node:test";
import assert from "node:assert/strict";
import { type FileFacts, unopened } from "../../../../adapters/sql/sqlite_unopened.ts";

const FOLDERS = ["/data", "/", "."];

const files = {
  statSync: (path: string) => {
    if (FOLDERS.includes(path)) return { isDirectory: () => true };
    return path === "/data/file" ? { isDirectory: () => false } : undefined;
  },
} satisfies FileFacts;

const UNABLE = "unable to open database file";

const REASONS: readonly [path: string, message: string, said: RegExp][] = [
  ["/data", UNABLE, /"\/data": it is a folder\./],
  ["/nowhere/auth.db", UNABLE, /the folder "\/nowhere" does not exist\. Create it/],
  ["data/auth.db", UNABLE, /the folder "data" does not exist\. Create it/],
  ["/data/file/auth.db", UNABLE, /"\/data\/file" is a file, not a folder/],
  ["auth.db", UNABLE, /may not read or create it/],
  ["/auth.db", UNABLE, /may not read or create it/],
  ["/data/file", "file is not a database", /not a SQLite database, or it is encrypted/],
  [
    "/data/file",
    "attempt to write a readonly database",
    /cannot be written\. Let the user that runs this program write/,
  ],
  ["/data/auth.db", 'Requires read access to "/data/auth.db"', /may not read or create it/],
];

for (const [path, message, said] of REASONS) {
  test(`"${message}" is explained for ${path}`, () => {
    const cause = new Error(message);
    const error = unopened(path, cause, files);
    assert.match(error?.message ?? "", said);
    assert.ok(error?.message.includes(JSON.stringify(path)), "the path is named");
    assert.equal(error?.logCode, "sqlite-unopened");
    assert.equal(error?.cause?.err, cause);
  });
}

test("what is not about the file itself is no error of opening it", () => {
  for (const message of ["database is locked", "no such table: user", "disk I/O error", "UNIQUE constraint failed"]) {
    assert.equal(unopened("/data/file", new Error(message), files), null);
  }
});

test("where there are no files to look at, the path is named all the same", () => {
  const broken = {
    statSync: () => {
      throw new Error("denied");
    },
  } satisfies FileFacts;
  for (const files of [undefined, broken]) {
    assert.match(unopened("/nowhere/auth.db", new Error(UNABLE), files)?.message ?? "", /"\/nowhere\/auth\.db": this/);
  }
});
