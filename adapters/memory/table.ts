/**
 * Rows in memory that can be put back as they were.
 *
 * @module
 */
import { applyChanges, ConstraintViolation } from "../../src/contract/commit.ts";

/** Takes back what was written. */
export type Undo = () => void;

/** What a {@linkcode Table} holds, and how. */
export interface TableOptions<Row> {
  /** What a row is called in errors. */
  readonly what: string;
  /** What names a row. */
  readonly keyOf: (row: Row) => string;
  /** Told how to take back each write. */
  readonly written: (undo: Undo) => void;
  /** Whether a row has ended and may go. Without it rows stay. */
  readonly ended?: (row: Row) => boolean;
}

/** How many rows are looked at, for those that ended, whenever one is added: more than one, so that ends meet. */
const SWEPT = 2;

/** Rows by key. Copies go in and come out, so that nobody shares a row with the table. */
export class Table<Row extends object> {
  readonly #rows = new Map<string, Row>();
  readonly #options: TableOptions<Row>;
  #sweep = this.#rows.entries();

  constructor(options: TableOptions<Row>) {
    this.#options = options;
  }

  /** Finds a row. */
  get(key: string): Row | null {
    const row = this.#rows.get(key);
    return row ? structuredClone(row) : null;
  }

  /** Finds the rows that fit. */
  filter(fits: (row: Row) => boolean): Row[] {
    return [...this.#rows.values()].filter(fits).map((row) => structuredClone(row));
  }

  /** Adds a row. @throws {ConstraintViolation} if it exists. */
  insert(row: Row): Row {
    const key = this.#options.keyOf(row);
    this.#dropEnded();
    if (this.#rows.has(key)) throw new ConstraintViolation(`Cannot store ${this.#options.what}: it exists`);
    this.#write(key, structuredClone(row));
    return structuredClone(row);
  }

  /** Changes the members of a row that are given; `null` if there is no such row. */
  update(key: string, changes: object): Row | null {
    const row = this.#rows.get(key);
    if (!row) return null;
    this.#write(key, structuredClone(applyChanges(row, changes)));
    return this.get(key);
  }

  /** Removes a row and gives it. */
  delete(key: string): Row | null {
    const row = this.get(key);
    if (row) this.#write(key, undefined);
    return row;
  }

  #write(key: string, row: Row | undefined): void {
    const before = this.#rows.get(key);
    this.#options.written(() => this.#put(key, before));
    this.#put(key, row);
  }

  #put(key: string, row: Row | undefined): void {
    if (row) this.#rows.set(key, row);
    else this.#rows.delete(key);
  }

  #dropEnded(): void {
    const { ended } = this.#options;
    for (let step = 0; ended && step < SWEPT; step++) {
      const next = this.#sweep.next();
      if (next.done) this.#sweep = this.#rows.entries();
      else if (ended(next.value[1])) this.#rows.delete(next.value[0]);
    }
  }
}
