/**
 * A PostgreSQL server for the tests of one file: started in a folder of its own, gone without a trace afterwards.
 *
 * @module
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { freePort } from "./free_port.ts";

/** A server that runs. */
export interface PostgresServer {
  /** Where clients connect to. */
  readonly url: string;
  /** Stops it and removes what it stored. */
  stop(): Promise<void>;
}

const INSTALLED = "/usr/lib/postgresql";

/** Where the programs of the server are: `POSTGRES_BIN`, else the newest that Debian installed. */
export function findPostgres(): string | null {
  const { POSTGRES_BIN } = process.env;
  if (POSTGRES_BIN) return POSTGRES_BIN;
  if (!existsSync(INSTALLED)) return null;
  const versions = readdirSync(INSTALLED).filter((version) => existsSync(`${INSTALLED}/${version}/bin/initdb`));
  const [newest] = versions.sort((a, b) => Number(b) - Number(a));
  return newest ? `${INSTALLED}/${newest}/bin` : null;
}

const MISSING = "there is no PostgreSQL. Install it (apt-get install -y --no-install-recommends postgresql), " +
  "or set POSTGRES_BIN.";

/** Whether tests that need PostgreSQL are skipped, which they say loudly. Where nobody reads along they are not. */
export function skipsWithoutPostgres(bin: string | null, what: string): boolean {
  if (bin || process.env.CI === "true") return false;
  process.stderr.write(`\n*** ${what} did not run: ${MISSING}\n\n`);
  return true;
}

/** Starts a server that forgets everything at a power failure, and lets in whoever is on this machine. */
export async function startPostgres(bin: string | null): Promise<PostgresServer> {
  if (!bin) throw new Error(`Cannot test with a database: ${MISSING}`);
  const folder = await mkdtemp(join(tmpdir(), "postgres-"));
  const stop = async (server?: ChildProcess) => {
    if (server) await ended(server);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const user = serverUser();
    if (user) chownSync(folder, user.uid, user.gid);
    const data = join(folder, "data");
    const made = spawnSync(
      ...as(user, `${bin}/initdb`, ["-D", data, "-U", "tests", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"]),
    );
    if (made.status !== 0) throw new Error(`Cannot make a database: ${made.stderr}`);
    const port = await freePort();
    const settings = {
      port,
      listen_addresses: "127.0.0.1",
      unix_socket_directories: folder,
      fsync: "off",
      max_connections: 200,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const [command, words, options] = as(user, `${bin}/postgres`, ["-D", data, ...args]);
    const server = spawn("sh", ["-c", UNTIL_CLOSED, "sh", command, ...words], options);
    await ready(server);
    return { url: `postgres://tests@127.0.0.1:${port}/postgres`, stop: () => stop(server) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Runs the server until its standard input is closed: it must not outlive tests that are killed. It is given two seconds
 * to wait for connections that are closing, because it would tell them of its end where nobody listens any more.
 */
const UNTIL_CLOSED = "exec 3<&0; { cat <&3; kill -TERM $$; sleep 2; kill -INT $$; } >/dev/null 2>&1 & " +
  'exec "$@" 3<&- </dev/null';

interface Identity {
  readonly uid: number;
  readonly gid: number;
}

/** The user that the server runs as, if it has to be another one: it refuses to run as root. */
function serverUser(): Identity | null {
  if (process.getuid?.() !== 0) return null;
  const [uid, gid] = ["-u", "-g"].map((option) =>
    Number(spawnSync("id", [option, "postgres"], { encoding: "utf8" }).stdout)
  );
  return uid && gid ? { uid, gid } : null;
}

function as(
  user: Identity | null,
  command: string,
  args: readonly string[],
): [command: string, args: string[], { cwd: string }] {
  // A folder that the other user may enter.
  const options = { cwd: tmpdir() };
  if (!user) return [command, [...args], options];
  return ["setpriv", [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups", command, ...args], options];
}

async function ready(server: ChildProcess): Promise<void> {
  let output = "";
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on("data", (text) => {
      output += text;
      if (output.includes("ready to accept connections")) resolve();
    });
    server.once("exit", () => reject(new Error(`Cannot start PostgreSQL: ${output}`)));
    server.once("error", reject);
  });
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const exit = new Promise((resolve) => server.once("exit", resolve));
  server.stdin?.end();
  await exit;
}
