/**
 * Sentences, in lines of a terminal.
 *
 * @module
 */

const COLUMNS = 80;

/** Breaks a text at its spaces, and indents each line by two. */
export function wrapped(text: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + word.length + 3 > COLUMNS) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? word : ` ${word}`;
  }
  return [...lines, line].map((each) => `  ${each}\n`).join("");
}
