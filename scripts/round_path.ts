/**
 * Rounds, scales and measures path data of SVG.
 *
 * @module
 */

/** How many numbers each command takes. */
const COUNTS: Readonly<Record<string, number>> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 };

/** A place of a path. */
interface Point {
  readonly x: number;
  readonly y: number;
}

const ORIGIN: Point = { x: 0, y: 0 };

/** A command with its numbers. */
interface Command {
  readonly name: string;
  readonly numbers: readonly number[];
}

/**
 * Writes a path with at most so many decimals. Each point is rounded where it is, so errors do not add up along the path.
 *
 * @throws {SyntaxError} if it is not path data.
 */
export function roundPath(path: string, decimals: number): string {
  let exact = ORIGIN;
  let drawn = ORIGIN;
  let start = { exact, drawn };
  let last = "";
  let out = "";
  for (const command of readPath(path)) {
    const name = command.name.toLowerCase();
    if (name === "z") {
      ({ exact, drawn } = start);
      out += "z";
      last = "";
      continue;
    }
    const base = command.name === name ? exact : ORIGIN;
    const numbers = command.numbers.map((number, index) => {
      const axis = axisOf(name, index);
      const rounded = axis ? base[axis] + number - drawn[axis] : number;
      return Number(rounded.toFixed(decimals)) + 0;
    });
    exact = movedTo(name, command.numbers, base, exact);
    drawn = movedTo(name, numbers, drawn, drawn);
    if (name === "m") start = { exact, drawn };
    // More numbers after a `m` are those of lines.
    out += written(name === last ? "" : name, numbers, out);
    last = name === "m" ? "l" : name;
  }
  return out;
}

/**
 * Writes a path at another size, and then further right and further down.
 *
 * @throws {SyntaxError} if it is not path data.
 */
export function scalePath(path: string, factor: number, by: Point = ORIGIN): string {
  return [...readPath(path)].map(({ name, numbers }, at) => {
    const lower = name.toLowerCase();
    // What a path begins with is a place, however it is written.
    const isPlace = name !== lower || at === 0;
    const scaled = numbers.map((number, index) => {
      // The angle and the flags of an arc have no length.
      if (lower === "a" && index >= 2 && index <= 4) return number;
      const axis = isPlace && axisOf(lower, index);
      return number * factor + (axis ? by[axis] : 0);
    });
    return `${name}${scaled.join(" ")}`;
  }).join("");
}

/** Measures how wide and high a path is, by the ends of its commands. Curves may reach a little further. */
export function sizeOf(path: string): { readonly width: number; readonly height: number } {
  let [at, start] = [ORIGIN, ORIGIN];
  const points = [...readPath(path)].map((command) => {
    const name = command.name.toLowerCase();
    at = name === "z" ? start : movedTo(name, command.numbers, command.name === name ? at : ORIGIN, at);
    if (name === "m") start = at;
    return at;
  });
  const [width, height] = (["x", "y"] as const).map((axis) => {
    const places = points.map((point) => point[axis]);
    return Math.max(...places) - Math.min(...places);
  });
  return { width: width ?? 0, height: height ?? 0 };
}

function movedTo(name: string, numbers: readonly number[], base: Point, at: Point): Point {
  const moved: { x: number; y: number } = { ...at };
  // The last number of each axis is where the command ends.
  for (const [index, number] of numbers.entries()) {
    const axis = axisOf(name, index);
    if (axis) moved[axis] = base[axis] + number;
  }
  return moved;
}

/** The axis that a number of a command is on; `null` for the radii, the angle and the flags of an arc. */
function axisOf(name: string, index: number): "x" | "y" | null {
  if (name === "h") return "x";
  if (name === "v") return "y";
  if (name === "a") return index === 5 ? "x" : index === 6 ? "y" : null;
  return index % 2 === 0 ? "x" : "y";
}

function written(name: string, numbers: readonly number[], before: string): string {
  let text = name;
  for (const number of numbers) {
    const next = String(number).replace(/^(-?)0\./, "$1.");
    const previous = /[\d.]+$/.exec(before + text)?.[0];
    const touches = previous !== undefined && !next.startsWith("-") &&
      !(next.startsWith(".") && previous.includes("."));
    text += touches ? ` ${next}` : next;
  }
  return text;
}

function* readPath(path: string): Iterable<Command> {
  const number = /\s*,?\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)/iy;
  const flag = /\s*,?\s*([01])/y;
  let at = 0;
  let name = "";
  const read = (form: RegExp): string | undefined => {
    form.lastIndex = at;
    const match = form.exec(path);
    if (match) at = form.lastIndex;
    return match?.[1];
  };
  while (path.slice(at).trim()) {
    const letter = read(/\s*([a-z])/iy);
    name = letter ?? (name === "M" ? "L" : name === "m" ? "l" : name);
    const count = COUNTS[name.toLowerCase()];
    if (count === undefined || (count === 0 && !letter)) throw new SyntaxError(`Cannot read path at ${at}`);
    const numbers = Array.from({ length: count }, (_, index) => {
      const isFlag = name.toLowerCase() === "a" && (index === 3 || index === 4);
      return Number(read(isFlag ? flag : number));
    });
    if (numbers.some(Number.isNaN)) throw new SyntaxError(`Cannot read path at ${at}: a number is missing`);
    yield { name, numbers };
  }
}
