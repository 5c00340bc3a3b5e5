/**
 * The cookies of one request: those that the browser sent, and those that the response sets.
 *
 * @module
 */
import { Timeout } from "../kernel/errors.ts";
import type { LogSubject } from "../kernel/log_subject.ts";
import { chunkNames, joinChunks, splitChunks } from "./chunks.ts";
import type { CookieRole, CookieSpecs, FormerSpecs } from "./cookie_specs.ts";
import {
  type CookieOptions,
  decodeCookieValue,
  MAX_HEADER_LENGTH,
  parseCookies,
  type SetCookie,
} from "./cookie_text.ts";

/** How one cookie is written. */
export interface WriteOptions {
  /** When the browser drops it. */
  readonly expires?: Date;
  /** Seconds until the browser drops it. */
  readonly maxAge?: number;
  /** Distinguishes several cookies of the same role. */
  readonly slot?: string;
  /** Replaces the configured attribute. */
  readonly sameSite?: CookieOptions["sameSite"];
}

/** The cookies of one request. Changes are kept until the response is made, even if the request fails. */
export interface CookieJar {
  /** Returns the name of a cookie, which is also the salt of what is sealed in it. */
  nameOf(role: CookieRole): string;
  /** Reads a cookie. If the browser sent several of the same name, none of them is trusted: it reads as absent. */
  read(role: CookieRole, slot?: string): string | undefined;
  /** Lists the slots of a role, oldest first: browsers send cookies in the order they were made. */
  slots(role: CookieRole): readonly string[];
  /** Sets a cookie. */
  write(role: CookieRole, value: string, options?: WriteOptions): void;
  /** Removes a cookie, if the browser sent it or the response was to set it. */
  clear(role: CookieRole, slot?: string): void;
  /** Reads a value that may be split over several cookies. */
  readChunked(role: CookieRole): string | undefined;
  /** Sets a value, split over several cookies if it is long. Chunks of an earlier value are removed. */
  writeChunked(role: CookieRole, value: string, options?: WriteOptions): void;
  /** Removes a value and all of its chunks. */
  clearChunked(role: CookieRole): void;
  /** Reads a cookie of the library that was used before, joined if it was split. Its name is that over http. */
  readFormer(name: string): string | undefined;
  /** Removes all cookies of the library that was used before. */
  clearFormer(): void;
  /**
   * Lists the cookies that the response sets, removals first, and closes the jar: code that still runs after a deadline
   * can change nothing more.
   */
  close(): readonly SetCookie[];
  /** Whether the `Cookie` header was too long, so that it was not read. */
  readonly oversized: boolean;
  /** Whether the response has been made. */
  readonly closed: boolean;
  /** The request whose cookies they are, for the log. */
  subject?: LogSubject | undefined;
}

const NO_COOKIES: ReadonlyMap<string, readonly string[]> = new Map();

const SLOT = /^[\w-]{1,64}$/;

const NO_FORMER: FormerSpecs = new Map();

/** Creates the jar of a request from its `Cookie` header. */
export function openJar(header: string | null, specs: CookieSpecs, former: FormerSpecs = NO_FORMER): CookieJar {
  let parsed: ReadonlyMap<string, readonly string[]> | undefined;
  const names = () => [...Object.values(specs), ...former.values()].map(({ name }) => name);
  const received = () => parsed ??= header === null ? NO_COOKIES : parseCookies(header, names());
  const changes = new Map<string, SetCookie>();

  const nameOf = (role: CookieRole, slot?: string) => slot ? `${specs[role].name}.${slot}` : specs[role].name;
  const readName = (name: string): string | undefined => {
    const values = received().get(name);
    if (values?.length !== 1 || values[0] === undefined) return undefined;
    return decodeCookieValue(values[0]);
  };
  let closed = false;
  const set = (name: string, value: string, options: CookieOptions) => {
    if (closed) throw new Timeout("Cannot change cookies: the answer has been given");
    changes.delete(name); // so that the order is that of the last change
    changes.set(name, { name, value, options });
  };
  const clearName = (name: string, { options }: { readonly options: CookieOptions }) => {
    changes.delete(name);
    if (!received().has(name)) return;
    const { expires: _, ...attributes } = options;
    set(name, "", { ...attributes, maxAge: 0 });
  };
  const clearChunked = (role: CookieRole) => {
    if (received().size === 0 && changes.size === 0) return;
    for (const name of chunkNames(specs[role].name)) clearName(name, specs[role]);
  };
  const clearFormer = () => {
    for (const spec of former.values()) {
      for (const name of chunkNames(spec.name)) clearName(name, spec);
    }
  };
  const attributes = (role: CookieRole, given: WriteOptions | undefined): CookieOptions => {
    if (!given) return specs[role].options;
    const { slot: _, ...changed } = given;
    return { ...specs[role].options, ...changed };
  };

  return {
    nameOf: (role) => nameOf(role),
    read: (role, slot) => readName(nameOf(role, slot)),
    slots(role) {
      const prefix = `${specs[role].name}.`;
      return [...received().keys()]
        .filter((name) => name.startsWith(prefix) && SLOT.test(name.slice(prefix.length)))
        .map((name) => name.slice(prefix.length));
    },
    write: (role, value, options) => set(nameOf(role, options?.slot), value, attributes(role, options)),
    clear: (role, slot) => clearName(nameOf(role, slot), specs[role]),
    readChunked: (role) => joinChunks(specs[role].name, readName),
    writeChunked(role, value, options) {
      const parts = splitChunks(specs[role].name, value);
      clearChunked(role);
      for (const [name, part] of parts) set(name, part, attributes(role, options));
    },
    clearChunked,
    readFormer: (name) => joinChunks(former.get(name)?.name ?? "", readName),
    clearFormer,
    close() {
      closed = true;
      if (changes.size === 0) return [];
      const all = [...changes.values()];
      return [...all.filter(isRemoval), ...all.filter((cookie) => !isRemoval(cookie))];
    },
    oversized: header !== null && header.length > MAX_HEADER_LENGTH,
    get closed() {
      return closed;
    },
    subject: undefined,
  };
}

function isRemoval({ options }: SetCookie): boolean {
  return options.maxAge === 0;
}
