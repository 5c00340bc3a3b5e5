/**
 * Rows in memory whose writes can be undone.
 *
 * @module
 */
import { applyChanges, ConstraintViolation } from "../../src/contract/commit.ts";

export type Undo = () => void;

/** What a {@linkcode Table} holds, and how. */
export interface TableOptions<Row> {
  /** The name of a row in errors. */
  readonly what: string;
  readonly keyOf: (row: Row) => string;
  /** Called with the undo of each write. */
  readonly written: (undo: Undo) => void;
  /** Whether a row has ended and may be removed. Without it rows stay. */
  readonly ended?: (row: Row) => boolean;
}

/** Rows that each insert checks for their end: more than one, so that removal keeps up with inserts. */
const SWEPT = 2;

/** Rows by key. Rows are copied in and out, so no caller shares a row with the table. */
export class Table<Row extends object> {
  readonly #rows = new Map<string, Row>();
  readonly #options: TableOptions<Row>;
  #sweep = this.#rows.entries();

  constructor(options: TableOptions<Row>) {
    this.#options = options;
  }

  get(key: string): Row | null {
    const row = this.#rows.get(key);
    return row ? structuredClone(row) : null;
  }

  filter(matches: (row: Row) => boolean): Row[] {
    return [...this.#rows.values()].filter(matches).map((row) => structuredClone(row));
  }

  /** Adds a row. @throws {ConstraintViolation} if it exists. */
  insert(row: Row): Row {
    const key = this.#options.keyOf(row);
    this.#dropEnded();
    if (this.#rows.has(key)) throw new ConstraintViolation(`Cannot store ${this.#options.what}: it exists already`);
    this.#write(key, structuredClone(row));
    return structuredClone(row);
  }

  /** Changes the given members of a row; `null` if there is no such row. The changes include the members of the key. */
  update(changes: Partial<Row>): Row | null {
    const key = this.#options.keyOf(changes as Row);
    const row = this.#rows.get(key);
    if (!row) return null;
    this.#write(key, structuredClone(applyChanges(row, changes)));
    return this.get(key);
  }

  /** Removes a row and gives it; `null` if there is none. */
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
