/**
 * The SQL of models of Prisma on MySQL, as `prisma migrate` would write it: its engine for MySQL is no package of npm.
 *
 * It reads what `npx @x/auth schema prisma` prints and what the models of Auth.js have, and nothing else.
 *
 * @module
 */
import assert from "node:assert/strict";

const TYPES: Readonly<Record<string, string>> = {
  String: "varchar(191)",
  Int: "int",
  BigInt: "bigint",
  Boolean: "boolean",
  DateTime: "datetime(3)",
};

/** Lists the statements that make the tables, in an order in which users are there before others refer to them. */
export function prismaStatements(models: string): string[] {
  return [...models.matchAll(/^model (\w+) \{\n([^}]*)\}/gm)].map(([, name = "", body = ""]) => {
    const lines = body.split("\n").map((line) => line.trim()).filter(Boolean).flatMap((line) => linesOf(name, line));
    return `create table \`${name}\` (${lines.join(", ")}) default character set utf8mb4 collate utf8mb4_unicode_ci`;
  });
}

/** What a line of a model adds to its table. */
function linesOf(model: string, line: string): string[] {
  const [, kind, list = "", map] = /^@@(id|unique|index)\(\[([^\]]+)\](?:, map: "(\w+)")?\)$/.exec(line) ?? [];
  if (kind) {
    const columns = list.split(", ");
    if (kind === "id") return [`primary key (${quoted(columns)})`];
    return [
      `${kind === "unique" ? "unique index" : "index"} \`${map ?? [model, ...columns].join("_")}\` (${
        quoted(columns)
      })`,
    ];
  }
  const [, name = "", type = "", many, optional, rest = ""] = /^(\w+)\s+(\w+)(\[\])?(\?)?(.*)$/.exec(line) ?? [];
  if (many) return [];
  const column = TYPES[type];
  if (column) {
    const [, native, size = ""] = /@db\.(\w+)(\(\d+\))?/.exec(rest) ?? [];
    const unique = /@unique(?:\(map: "(\w+)"\))?/.exec(rest);
    return [
      `\`${name}\` ${native ? native + size : column}${optional ? " null" : " not null"}`,
      ...(/@id\b/.test(rest) ? [`primary key (\`${name}\`)`] : []),
      ...(unique ? [`unique index \`${unique[1] ?? `${model}_${name}_key`}\` (\`${name}\`)`] : []),
    ];
  }
  const [, field, key] = /@relation\(fields: \[(\w+)\], references: \[(\w+)\], onDelete: Cascade\)/.exec(rest) ?? [];
  assert.ok(field && key, `line of a model that is not known here: ${line}`);
  return [`foreign key (\`${field}\`) references \`${type}\` (\`${key}\`) on delete cascade on update cascade`];
}

function quoted(columns: readonly string[]): string {
  return columns.map((column) => `\`${column}\``).join(", ");
}
