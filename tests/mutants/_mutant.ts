/** A flaw as a patch: the code of the guard, and what replaces it to bring the flaw back. */
export interface Mutant {
  /** The rows of the security catalogue or the requirements it stands for, and the flaw. */
  readonly name: string;
  readonly file: string;
  /** Code that occurs once in the file. Its white space, line breaks and trailing commas do not matter. */
  readonly find: string;
  readonly replace: string;
  /** Files of tests, of which one must see the flaw. */
  readonly tests: readonly string[];
  /** The beginning of the names of the tests that see it, where the whole file takes long. */
  readonly only?: string;
  /** Seconds the tests may take. @default {120} */
  readonly seconds?: number;
}
