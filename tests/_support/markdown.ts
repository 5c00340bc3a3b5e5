/** Reads what pages of the documentation say. */

/** The rows of the first table below a heading, as the text of their cells. */
export function markdownTable(page: string, heading: string): string[][] {
  const [, section = ""] = page.split(new RegExp(`^#+ ${heading.replaceAll(/[.*+?^$(){}|[\]\\]/g, "\\$&")}$`, "m"));
  const [text = ""] = section.split(/^#+ /m);
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.startsWith("|"));
  const length = lines.slice(start).findIndex((line) => !line.startsWith("|"));
  if (start < 0) throw new Error(`Below "${heading}" is no table`);
  return lines.slice(start, length < 0 ? undefined : start + length).slice(2).map((line) => {
    return line.slice(1, -1).split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
  });
}

/** What stands between backticks in a text. */
export function wordsIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
}
