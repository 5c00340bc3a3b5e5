/**
 * A PostgreSQL server for the tests of one file: started in a folder of its own, gone without a trace afterwards.
 *
 * @module
 */
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { freePort } from "./free_port.ts";
import { endServer, makeHome, spawnServer, untilReady } from "./installed_server.ts";

/** A server that runs. */
export interface PostgresServer {
  /** Where clients connect to. */
  readonly url: string;
  /** Stops it and removes what it stored. */
  stop(): Promise<void>;
}

/** Removes everything from the schema that tests use. */
export const EMPTY_SCHEMA = "drop schema if exists public cascade; create schema public";

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
  const home = await makeHome("postgres");
  try {
    const data = join(home.folder, "data");
    home.run(`${bin}/initdb`, ["-D", data, "-U", "tests", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"]);
    const port = await freePort();
    const settings = {
      port,
      listen_addresses: "127.0.0.1",
      unix_socket_directories: home.folder,
      fsync: "off",
      max_connections: 200,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    // It is given two seconds to wait for connections that are closing, because it would tell them of its end where nobody
    // listens any more.
    const server = spawnServer({ ...home.as(`${bin}/postgres`, ["-D", data, ...args]), cwd: tmpdir(), patience: 2 });
    await untilReady(server, "PostgreSQL", /ready to accept connections/);
    const stop = async () => {
      await endServer(server);
      await home.remove();
    };
    return { url: `postgres://tests@127.0.0.1:${port}/postgres`, stop };
  } catch (error) {
    await home.remove();
    throw error;
  }
}
