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

const NO_COOKIES: ReadonlyMap<string, readonly string[]> = new Map();

const SLOT = /^[\w-]{1,64}$/;

const NO_FORMER: FormerSpecs = new Map();

/** The cookies of one request. Changes are kept until the response is made, even if the request fails. */
export class CookieJar {
  /** Whether the `Cookie` header was too long, so that it was not read. */
  readonly oversized: boolean;
  /** The request whose cookies they are, for the log. */
  subject: LogSubject | undefined = undefined;
  readonly #header: string | null;
  readonly #specs: CookieSpecs;
  readonly #former: FormerSpecs;
  #parsed: ReadonlyMap<string, readonly string[]> | undefined = undefined;
  #changes: Map<string, SetCookie> | undefined = undefined;
  #closed = false;

  constructor(header: string | null, specs: CookieSpecs, former: FormerSpecs) {
    this.oversized = header !== null && header.length > MAX_HEADER_LENGTH;
    this.#header = header;
    this.#specs = specs;
    this.#former = former;
  }

  /** Whether the response has been made. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Returns the name of a cookie, which is also the salt of what is sealed in it. */
  nameOf(role: CookieRole, slot?: string): string {
    return slot ? `${this.#specs[role].name}.${slot}` : this.#specs[role].name;
  }

  /** Reads a cookie. If the browser sent several of the same name, none of them is trusted: it reads as absent. */
  read(role: CookieRole, slot?: string): string | undefined {
    return this.#read(this.nameOf(role, slot));
  }

  /** Lists the slots of a role, oldest first: browsers send cookies in the order they were made. */
  slots(role: CookieRole): readonly string[] {
    const prefix = `${this.#specs[role].name}.`;
    return [...this.#received().keys()]
      .filter((name) => name.startsWith(prefix) && SLOT.test(name.slice(prefix.length)))
      .map((name) => name.slice(prefix.length));
  }

  /** Sets a cookie. */
  write(role: CookieRole, value: string, options?: WriteOptions): void {
    this.#set(this.nameOf(role, options?.slot), value, this.#attributes(role, options));
  }

  /** Removes a cookie, if the browser sent it or the response was to set it. */
  clear(role: CookieRole, slot?: string): void {
    this.#clear(this.nameOf(role, slot), this.#specs[role]);
  }

  /** Reads a value that may be split over several cookies. */
  readChunked(role: CookieRole): string | undefined {
    return joinChunks(this.#specs[role].name, (name) => this.#read(name));
  }

  /** Sets a value, split over several cookies if it is long. Chunks of an earlier value are removed. */
  writeChunked(role: CookieRole, value: string, options?: WriteOptions): void {
    const parts = splitChunks(this.#specs[role].name, value);
    this.clearChunked(role);
    for (const [name, part] of parts) this.#set(name, part, this.#attributes(role, options));
  }

  /** Removes a value and all of its chunks. */
  clearChunked(role: CookieRole): void {
    if (!this.#changes && this.#received().size === 0) return;
    for (const name of chunkNames(this.#specs[role].name)) this.#clear(name, this.#specs[role]);
  }

  /** Reads a cookie of the library that was used before, joined if it was split. Its name is that over http. */
  readFormer(name: string): string | undefined {
    return joinChunks(this.#former.get(name)?.name ?? "", (chunk) => this.#read(chunk));
  }

  /** Removes all cookies of the library that was used before. */
  clearFormer(): void {
    for (const spec of this.#former.values()) {
      for (const name of chunkNames(spec.name)) this.#clear(name, spec);
    }
  }

  /**
   * Lists the cookies that the response sets, removals first, and closes the jar: code that still runs after a deadline
   * can change nothing more.
   */
  close(): readonly SetCookie[] {
    this.#closed = true;
    if (!this.#changes) return [];
    const all = [...this.#changes.values()];
    return [...all.filter(isRemoval), ...all.filter((cookie) => !isRemoval(cookie))];
  }

  #received(): ReadonlyMap<string, readonly string[]> {
    return this.#parsed ??= this.#header === null
      ? NO_COOKIES
      : parseCookies(this.#header, [...Object.values(this.#specs), ...this.#former.values()].map(({ name }) => name));
  }

  #read(name: string): string | undefined {
    const values = this.#received().get(name);
    if (values?.length !== 1 || values[0] === undefined) return undefined;
    return decodeCookieValue(values[0]);
  }

  #set(name: string, value: string, options: CookieOptions): void {
    if (this.#closed) throw new Timeout("Cannot change cookies: the answer has been given");
    this.#changes ??= new Map();
    this.#changes.delete(name); // so that the order is that of the last change
    this.#changes.set(name, { name, value, options });
  }

  #clear(name: string, { options }: { readonly options: CookieOptions }): void {
    this.#changes?.delete(name);
    if (!this.#received().has(name)) return;
    const { expires: _, ...attributes } = options;
    this.#set(name, "", { ...attributes, maxAge: 0 });
  }

  #attributes(role: CookieRole, given: WriteOptions | undefined): CookieOptions {
    if (!given) return this.#specs[role].options;
    const { slot: _, ...changed } = given;
    return { ...this.#specs[role].options, ...changed };
  }
}

/** Creates the jar of a request from its `Cookie` header. */
export function openJar(header: string | null, specs: CookieSpecs, former: FormerSpecs = NO_FORMER): CookieJar {
  return new CookieJar(header, specs, former);
}

function isRemoval({ options }: SetCookie): boolean {
  return options.maxAge === 0;
}
