/**
 * A server that speaks Hrana 2 over HTTP, as Turso's does, over the SQLite of the runtime. Each stream has a connection.
 *
 * @see {@link https://github.com/tursodatabase/libsql/blob/main/docs/HTTP_V2_SPEC.md | Hrana over HTTP}
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";

interface Value {
  readonly type: "null" | "integer" | "float" | "text" | "blob";
  readonly value?: string | number;
  readonly base64?: string;
}

interface Stmt {
  readonly sql?: string;
  readonly sql_id?: number;
  readonly args?: readonly Value[];
}

type Condition =
  | { readonly type: "ok" | "error"; readonly step: number }
  | { readonly type: "not"; readonly cond: Condition }
  | { readonly type: "and" | "or"; readonly conds: readonly Condition[] }
  | { readonly type: "is_autocommit" };

interface Request {
  readonly type: string;
  readonly stmt?: Stmt;
  readonly sql?: string;
  readonly sql_id?: number;
  readonly batch?: { readonly steps: readonly { readonly stmt: Stmt; readonly condition?: Condition | null }[] };
}

interface Stream {
  readonly database: DatabaseSync;
  readonly texts: Map<number, string>;
}

/** Starts it on a free port. */
export async function startHrana(path: string): Promise<{ url: string; close: () => Promise<void> }> {
  const streams = new Map<string, Stream>();
  let last = 0;
  const open = (): Stream => {
    const database = new DatabaseSync(path, { timeout: 0 });
    database.exec("pragma synchronous = off");
    return { database, texts: new Map() };
  };
  const answer = (body: { readonly baton: string | null; readonly requests: readonly Request[] }) => {
    const stream = body.baton === null ? open() : streams.get(body.baton) ?? open();
    if (body.baton !== null) streams.delete(body.baton);
    const results = body.requests.map((request) => {
      try {
        return { type: "ok", response: { type: request.type, ...respond(stream, request) } };
      } catch (error) {
        return { type: "error", error: errorOf(error) };
      }
    });
    if (body.requests.some(({ type }) => type === "close")) {
      stream.database.close();
      return { baton: null, base_url: null, results };
    }
    const baton = String(last += 1);
    streams.set(baton, stream);
    return { baton, base_url: null, results };
  };
  const server = createServer(async (request, response) => {
    if (request.method !== "POST" || !request.url?.endsWith("/v2/pipeline")) return void response.writeHead(404).end();
    const text = JSON.stringify(answer(JSON.parse(await bodyOf(request))));
    response.writeHead(200, { "content-type": "application/json" }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const { database } of streams.values()) database.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return new TextDecoder().decode(await new Blob(chunks as BlobPart[]).arrayBuffer());
}

function respond(stream: Stream, { type, stmt, sql, sql_id = 0, batch }: Request): object {
  switch (type) {
    case "execute":
      return { result: execute(stream, stmt ?? {}) };
    case "batch":
      return { result: runSteps(stream, batch?.steps ?? []) };
    case "sequence":
      stream.database.exec(sql ?? "");
      return {};
    case "store_sql":
      stream.texts.set(sql_id, sql ?? "");
      return {};
    default:
      return {};
  }
}

function runSteps(stream: Stream, steps: NonNullable<Request["batch"]>["steps"]) {
  const step_results: (object | null)[] = [];
  const step_errors: (object | null)[] = [];
  const holds = (condition: Condition): boolean => {
    switch (condition.type) {
      case "ok":
        return step_results[condition.step] !== null;
      case "error":
        return step_errors[condition.step] !== null;
      case "not":
        return !holds(condition.cond);
      case "and":
        return condition.conds.every(holds);
      case "or":
        return condition.conds.some(holds);
      case "is_autocommit":
        return !stream.database.isTransaction;
    }
  };
  for (const { stmt, condition } of steps) {
    let result: object | null = null;
    let error: object | null = null;
    try {
      if (!condition || holds(condition)) result = execute(stream, stmt);
    } catch (thrown) {
      error = errorOf(thrown);
    }
    step_results.push(result);
    step_errors.push(error);
  }
  return { step_results, step_errors };
}

function execute({ database, texts }: Stream, { sql, sql_id = 0, args = [] }: Stmt): object {
  const statement = database.prepare(sql ?? texts.get(sql_id) ?? "");
  statement.setReadBigInts(true);
  const columns = statement.columns();
  const rows = statement.all(...args.map(fromWire)).map((row) => Object.values(row).map(toWire));
  return {
    cols: columns.map(({ name, type }) => ({ name, decltype: type })),
    rows,
    affected_row_count: 0,
    last_insert_rowid: null,
  };
}

function fromWire({ type, value, base64 = "" }: Value): SQLInputValue {
  if (type === "integer") return BigInt(value ?? 0);
  if (type === "blob") return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return type === "null" ? null : value ?? null;
}

function toWire(value: unknown): Value {
  if (typeof value === "bigint") return { type: "integer", value: String(value) };
  if (typeof value === "number") return { type: "float", value };
  if (typeof value === "string") return { type: "text", value };
  if (value instanceof Uint8Array) return { type: "blob", base64: btoa(String.fromCharCode(...value)) };
  return { type: "null" };
}

function errorOf(error: unknown): { readonly message: string; readonly code: string } {
  const message = error instanceof Error ? error.message : String(error);
  const code = /is locked/.test(message)
    ? "SQLITE_BUSY"
    : /constraint failed/.test(message)
    ? "SQLITE_CONSTRAINT"
    : "SQLITE_ERROR";
  return { message, code };
}
