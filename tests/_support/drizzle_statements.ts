/**
 * The SQL of tables of Drizzle, as `drizzle-kit` would write it, for the databases that quote names with double quotes.
 *
 * @module
 */

interface NamedColumn {
  readonly name: string;
}

/** What `getTableConfig()` of each dialect says of a table. */
export interface TableConfig {
  readonly name: string;
  readonly columns: readonly (NamedColumn & {
    readonly notNull: boolean;
    readonly primary: boolean;
    getSQLType(): string;
  })[];
  readonly primaryKeys: readonly { readonly columns: readonly NamedColumn[] }[];
  readonly foreignKeys: readonly {
    readonly onDelete?: string | undefined;
    reference(): { readonly columns: readonly NamedColumn[]; readonly foreignColumns: readonly NamedColumn[] };
  }[];
  readonly indexes: readonly {
    readonly config: {
      readonly name?: string | undefined;
      readonly unique?: boolean | undefined;
      readonly columns: readonly object[];
    };
  }[];
}

/** Lists the statements that make a table and its indexes. All foreign keys refer to `user`. */
export function drizzleStatements({ name, columns, primaryKeys, foreignKeys, indexes }: TableConfig): string[] {
  const list = (of: readonly object[]) => of.map((column) => quote((column as NamedColumn).name)).join(", ");
  const lines = [
    ...columns.map((column) => {
      const rest = `${column.notNull ? " not null" : ""}${column.primary ? " primary key" : ""}`;
      return `${quote(column.name)} ${column.getSQLType()}${rest}`;
    }),
    ...primaryKeys.map((key) => `primary key (${list(key.columns)})`),
    ...foreignKeys.map((key) => {
      const { columns, foreignColumns } = key.reference();
      return `foreign key (${list(columns)}) references "user" (${list(foreignColumns)}) on delete ${key.onDelete}`;
    }),
  ];
  return [
    `create table ${quote(name)} (${lines.join(", ")})`,
    ...indexes.map(({ config }) => {
      const kind = config.unique ? "unique index" : "index";
      return `create ${kind} ${quote(config.name ?? "")} on ${quote(name)} (${list(config.columns)})`;
    }),
  ];
}

function quote(name: string): string {
  return `"${name}"`;
}
