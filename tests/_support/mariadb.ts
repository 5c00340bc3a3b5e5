/**
 * A MariaDB server for the tests of one file: started in a folder of its own, gone without a trace afterwards.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { freePort } from "./free_port.ts";
import { endServer, makeHome, spawnServer, untilReady } from "./installed_server.ts";

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
  const home = await makeHome("mysql");
  const { folder } = home;
  try {
    const data = join(folder, "data");
    const plain = ["--auth-root-authentication-method=normal", "--skip-test-db"];
    home.run(INSTALL, ["--no-defaults", `--datadir=${data}`, ...plain]);
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
    const server = spawnServer({ ...home.as(command, args), cwd: tmpdir(), env: { TZ: zone } });
    await untilReady(server, "MariaDB", /ready for connections/);
    const stop = async () => {
      await endServer(server);
      await home.remove();
    };
    return { url: `mysql://root@127.0.0.1:${port}/tests`, stop };
  } catch (error) {
    await home.remove();
    throw error;
  }
}
