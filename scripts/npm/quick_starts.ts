/**
 * The first programs of the README, run as somebody does who has an empty folder.
 *
 * @module
 */
import { freePort, stopProgram } from "./run.ts";

/** The runtimes that the README has a first program for. */
export type FirstRuntime = "deno" | "node" | "bun";

/** A program, and how the README says to start it. */
export interface FirstProgram {
  /** The name of its file. */
  readonly file: string;
  /** The arguments of the runtime. */
  readonly args: readonly string[];
  /** The program. */
  readonly source: string;
  /** The same program with the line that the README has for this runtime alone, in place of its last one. */
  readonly inOwnWay?: string;
}

/** The port in the README. Another one is used in its place: it may be taken. */
const PORT = "3000";

/**
 * Reads the first program of the README, the command for a runtime below its heading, and the last line for it.
 *
 * @throws {Error} if the page has none.
 */
export function firstProgram(page: string, runtime: FirstRuntime): FirstProgram {
  const name = `${runtime.slice(0, 1).toUpperCase()}${runtime.slice(1)}`;
  const [, file, source] = /Write `([\w.]+)`[^]*?^```js\n([^]*?)^```/m.exec(page) ?? [];
  const [section = ""] = page.split(new RegExp(`^### ${name}\n`, "m"))[1]?.split(/^##/m) ?? [];
  const [, command = ""] = /^```sh\n[^]*?([^\n]+)\n```/m.exec(section) ?? [];
  const [program, ...args] = command.split(" ");
  if (!file || !source || program !== runtime) throw new Error(`The README has no first program for ${name}`);
  const [, last] = /In place of its last line, the program can have\s`([^`]+)`/.exec(section) ?? [];
  return { file, args, source, ...last && { inOwnWay: source.replace(/[^\n]+\n$/, `${last}\n`) } };
}

/** Where and with what a program runs. */
export interface Place {
  /** The folder, where the package is installed. */
  readonly folder: string;
  /** The runtime. */
  readonly command: string;
  /** Arguments for the runtime in addition to those of the README. */
  readonly flags?: readonly string[];
}

/** Writes a program into a folder, starts it, signs in and out. @throws {Error} that names the step that failed. */
export async function tryFirstProgram(program: FirstProgram, { folder, command, flags = [] }: Place): Promise<void> {
  const port = `${freePort()}`;
  const [first = "", ...others] = program.args;
  await Deno.writeTextFile(`${folder}/.env`, `AUTH_SECRET=${crypto.randomUUID()}${crypto.randomUUID()}\n`);
  await Deno.writeTextFile(`${folder}/${program.file}`, program.source.replaceAll(PORT, port));
  const args = first === "run" ? [first, ...flags, ...others] : [...flags, ...program.args];
  const env = { PATH: Deno.env.get("PATH") ?? "", HOME: Deno.env.get("HOME") ?? "" };
  const options = { args, cwd: folder, env, clearEnv: true, stdin: "null", stdout: "null", stderr: "piped" } as const;
  const site = new Deno.Command(command, options).spawn();
  const log = site.stderr.text();
  try {
    await untilAnswered(`http://localhost:${port}/`, site);
    await signInAndOut(`http://localhost:${port}`);
  } catch (error) {
    await stopProgram(site);
    throw new Error(`Cannot sign in with the first program for ${command}: ${await log}`, { cause: error });
  }
  await stopProgram(site);
  await log;
}

async function untilAnswered(url: string, site: Deno.ChildProcess): Promise<void> {
  const ended = site.status.then(({ code }) => {
    throw new Error(`The program ended with code ${code} instead of serving ${url}`);
  });
  ended.catch(() => {});
  for (let tries = 0; tries < 600; tries++) {
    const answer = fetch(url).then(async (response) => (await response.body?.cancel(), true), () => false);
    if (await Promise.race([answer, ended])) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Nothing answers at ${url}`);
}

async function signInAndOut(site: string): Promise<void> {
  const cookies = new Map<string, string>();
  const ask = async (path: string, fields?: Record<string, string>): Promise<string> => {
    const headers = new Headers({ cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") });
    if (fields) headers.set("origin", site);
    const body = fields && new URLSearchParams(fields);
    const init = { headers, redirect: "manual", ...(body && { method: "POST", body }) } as const;
    const response = await fetch(new URL(path, site), init);
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value && !/max-age=0/i.test(line)) cookies.set(name, value);
      else cookies.delete(name);
    }
    return response.headers.get("location") ?? await response.text();
  };
  const csrf = async (path: string) => {
    const [, csrfToken = ""] = /name="csrfToken" value="([^"]+)"/.exec(await ask(path)) ?? [];
    return { csrfToken };
  };

  expect(await ask("/"), "Hello stranger");
  expect(await ask("/auth/session"), "null");
  const wrong = { ...await csrf("/auth/signin"), username: "ada", password: "guess" };
  expect(await ask("/auth/callback/credentials", wrong), "error=CredentialsSignin");
  const right = { ...await csrf("/auth/signin"), username: "ada", password: "lovelace" };
  expect(await ask("/auth/callback/credentials", right), site);
  expect(await ask("/"), "Hello Ada");
  expect(await ask("/auth/session"), '"name":"Ada"');
  await ask("/auth/signout", await csrf("/auth/signout"));
  expect(await ask("/"), "Hello stranger");
}

function expect(text: string, wanted: string): void {
  if (!text.includes(wanted)) throw new Error(`An answer does not contain ${wanted}: ${text.slice(0, 300)}`);
}
