/** Holds the lock of a SQLite file until it is told to let go. */
import { once } from "node:events";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";

const file = new DatabaseSync(process.argv.at(-1) ?? "");
file.exec("begin immediate");
process.stdout.write("locked\n");
await once(process.stdin, "data");
process.stdin.destroy();
file.exec("commit");
file.close();
