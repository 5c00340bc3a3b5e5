/**
 * A MariaDB server for the tests of one file: started in a folder of its own, gone without a trace afterwards.
 *
 * @module
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { freePort } from "./free_port.ts";

/** A server that runs. */
export interface MariadbServer {
  /** Where clients connect to: an empty database. */
  readonly url: string;
  /** Stops it and removes what it stored. */
  stop(): Promise<void>;
}

/** Where the server is: `MARIADBD`, else where Debian installed it. */
export function findMariadb(): string | null {
  const { MARIADBD } = process.env;
  if (MARIADBD) return MARIADBD;
  return existsSync("/usr/sbin/mariadbd") && existsSync(INSTALL) ? "/usr/sbin/mariadbd" : null;
}

const INSTALL = "/usr/bin/mariadb-install-db";

const MISSING = "there is no MariaDB. Install it (apt-get install -y --no-install-recommends mariadb-server), " +
  "or set MARIADBD.";

/** Whether tests that need MariaDB are skipped, which they say loudly. Where nobody reads along they are not. */
export function skipsWithoutMariadb(server: string | null, what: string): boolean {
  if (server || process.env.CI === "true") return false;
  process.stderr.write(`\n*** ${what} did not run: ${MISSING}\n\n`);
  return true;
}

/** How a server differs. */
export interface MariadbSettings {
  /** Its options, without dashes. */
  readonly options?: Readonly<Record<string, string>>;
  /** The time zone of its sessions. */
  readonly zone?: string;
}

/** Starts a server that forgets everything at a power failure. */
export async function startMariadb(command: string | null, settings: MariadbSettings = {}): Promise<MariadbServer> {
  if (!command) throw new Error(`Cannot test with a database: ${MISSING}`);
  // Something else may have taken the port meanwhile.
  return await start(command, settings).catch(() => start(command, settings));
}

async function start(command: string, { options = {}, zone = "UTC" }: MariadbSettings): Promise<MariadbServer> {
  const folder = await mkdtemp(join(tmpdir(), "mariadb-"));
  const stop = async (server?: ChildProcess) => {
    if (server) await ended(server);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const user = serverUser();
    if (user) chownSync(folder, user.uid, user.gid);
    const data = join(folder, "data");
    const made = spawnSync(...as(user, INSTALL, [
      "--no-defaults",
      `--datadir=${data}`,
      "--auth-root-authentication-method=normal",
      "--skip-test-db",
    ]));
    if (made.status !== 0) throw new Error(`Cannot make a database: ${made.stderr}`);
    const port = await freePort();
    await writeFile(join(folder, "init.sql"), "create database tests;\n");
    const settings = {
      datadir: data,
      socket: join(folder, "socket"),
      port: String(port),
      "bind-address": "127.0.0.1",
      "max-connections": "200",
      "innodb-buffer-pool-size": "64M",
      "innodb-flush-log-at-trx-commit": "0",
      "innodb-flush-method": "nosync",
      "character-set-server": "utf8mb4",
      "init-file": join(folder, "init.sql"),
      ...options,
    };
    const words = ["--no-defaults", "--skip-name-resolve", "--skip-log-bin"];
    const args = [...words, ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`)];
    const [program, given, how] = as(user, command, args);
    const env = { ...process.env, TZ: zone };
    const server = spawn("sh", ["-c", UNTIL_CLOSED, "sh", program, ...given], { ...how, env });
    await ready(server);
    return { url: `mysql://root@127.0.0.1:${port}/tests`, stop: () => stop(server) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Runs the server until its standard input is closed: it must not outlive tests that are killed. */
const UNTIL_CLOSED = "exec 3<&0; { cat <&3; kill -TERM $$; } >/dev/null 2>&1 & " + 'exec "$@" 3<&- </dev/null';

interface Identity {
  readonly uid: number;
  readonly gid: number;
}

/** The user that the server runs as, if it has to be another one: it refuses to run as root. */
function serverUser(): Identity | null {
  if (process.getuid?.() !== 0) return null;
  const [uid, gid] = ["-u", "-g"].map((option) =>
    Number(spawnSync("id", [option, "mysql"], { encoding: "utf8" }).stdout)
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
      if (output.includes("ready for connections")) resolve();
    });
    server.once("exit", () => reject(new Error(`Cannot start MariaDB: ${output}`)));
    server.once("error", reject);
  });
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const exit = new Promise((resolve) => server.once("exit", resolve));
  server.stdin?.end();
  await exit;
}
