/**
 * A server that speaks Hrana 2 over HTTP, as Turso's does, over the SQLite of the runtime. Each stream has a connection.
 *
 * @see {@link https://github.com/tursodatabase/libsql/blob/main/docs/HTTP_V2_SPEC.md | Hrana over HTTP}
 */
import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
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
  readonly batch?: Batch;
}

interface Batch {
  readonly steps: readonly { readonly stmt: Stmt; readonly condition?: Condition | null }[];
}

interface Result {
  readonly cols: readonly object[];
  readonly rows: readonly (readonly Value[])[];
  readonly affected_row_count: number;
  readonly last_insert_rowid: null;
}

interface Stream {
  readonly database: DatabaseSync;
  readonly texts: Map<number, string>;
}

/** Bytes of the head of a log of SQLite, and of a page in it. @see {@link https://www.sqlite.org/fileformat2.html#the_write_ahead_log | SQLite} */
const LOG_HEADER = 32;
const FRAME = 24 + 4096;

/** The number of the file that replicas start from: this server never makes another one of its log. */
const GENERATION = 1;

/** When the connection of a request is lost: before it takes effect, or after. */
export type Loss = "before" | "after";

/** Starts it on a free port. @param loses Chooses for each request whether its connection is lost. */
export async function startHrana(
  path: string,
  loses: () => Loss | null = () => null,
): Promise<{ url: string; close: () => Promise<void> }> {
  // Keeps the log, which the last connection to close a file removes: replicas are made of it.
  const kept = new DatabaseSync(path);
  kept.exec("pragma journal_mode = wal; select 1 from sqlite_schema");
  const streams = new Map<string, Stream>();
  let last = 0;
  const open = (): Stream => {
    const database = new DatabaseSync(path, { timeout: 0 });
    database.exec("pragma synchronous = off; pragma wal_autocheckpoint = 0");
    return { database, texts: new Map() };
  };
  const streamOf = (baton: string | null): Stream => {
    const stream = streams.get(baton ?? "") ?? open();
    streams.delete(baton ?? "");
    return stream;
  };
  const keep = (stream: Stream): string => {
    const baton = String(last += 1);
    streams.set(baton, stream);
    return baton;
  };
  const answerCursor = (body: { readonly baton: string | null; readonly batch: Batch }): readonly object[] => {
    const stream = streamOf(body.baton);
    const entries = cursorEntries(runSteps(stream, body.batch.steps));
    return [{ baton: keep(stream), base_url: null }, ...entries];
  };
  const answer = (body: { readonly baton: string | null; readonly requests: readonly Request[] }): object => {
    const stream = streamOf(body.baton);
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
    return { baton: keep(stream), base_url: null, results };
  };
  const server = createServer(async (request, response) => {
    const { method, url = "" } = request;
    if (method === "GET") return void replicate(path, url, response);
    if (!/\/v[23]\/(?:pipeline|cursor)$/.test(url)) return void response.writeHead(404).end();
    const body = JSON.parse(await bodyOf(request));
    const loss = loses();
    if (loss === "before") return void request.socket.destroy();
    const lines = url.endsWith("/cursor") ? answerCursor(body) : [answer(body)];
    if (loss === "after") return void request.socket.destroy();
    response.writeHead(200, { "content-type": "application/json" }).end(
      lines.map((line) => JSON.stringify(line)).join("\n"),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const { database } of [...streams.values(), { database: kept }]) database.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What the file of a replica is made of: the file, and the pages that were written since, from its log. */
function replicate(path: string, url: string, response: ServerResponse): void {
  const [, what, , first = "0", end = "0"] = url.split("/");
  const json = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body));
  if (what === "info") return void json(200, { current_generation: GENERATION });
  if (what === "export") return void response.writeHead(200).end(readFileSync(path));
  const log = existsSync(`${path}-wal`) ? readFileSync(`${path}-wal`).subarray(LOG_HEADER) : new Uint8Array();
  const frames = log.subarray((Number(first) - 1) * FRAME, (Number(end) - 1) * FRAME);
  if (what !== "sync" || frames.length === 0) return void json(400, { generation: GENERATION });
  response.writeHead(200).end(frames);
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
    case "describe":
      return { result: describe(stream, sql ?? stream.texts.get(sql_id) ?? "") };
    case "get_autocommit":
      return { is_autocommit: !stream.database.isTransaction };
    case "store_sql":
      stream.texts.set(sql_id, sql ?? "");
      return {};
    default:
      return {};
  }
}

/** The answers to a batch as a list of entries, which Hrana 3 calls a cursor. */
function cursorEntries({ step_results, step_errors }: ReturnType<typeof runSteps>): object[] {
  return step_results.flatMap((result, step): object[] => {
    const error = step_errors[step];
    if (error) return [{ type: "step_error", step, error }];
    if (!result) return [];
    const { cols, rows, affected_row_count, last_insert_rowid } = result;
    return [
      { type: "step_begin", step, cols },
      ...rows.map((row) => ({ type: "row", row })),
      { type: "step_end", affected_row_count, last_insert_rowid },
    ];
  });
}

function runSteps(stream: Stream, steps: Batch["steps"]) {
  const step_results: (Result | null)[] = [];
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
    let result: Result | null = null;
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

function describe({ database }: Stream, sql: string): object {
  const cols = database.prepare(sql).columns().map(({ name, type }) => ({ name, decltype: type }));
  const params = Array.from(sql.replaceAll(/'[^']*'/g, "").matchAll(/\?/g), () => ({ name: null }));
  return { params, cols, is_explain: false, is_readonly: false };
}

function execute({ database, texts }: Stream, { sql, sql_id = 0, args = [] }: Stmt): Result {
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
