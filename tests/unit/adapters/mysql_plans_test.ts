/** How MariaDB finds the rows that each statement is about, in tables with many. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import mysql from "mysql2/promise";
import { conformanceCases } from "../../../adapters/conformance.ts";
import { mysqlAdapter } from "../../../adapters/mysql.ts";
import { findMariadb, type MariadbServer, skipsWithoutMariadb, startMariadb } from "../../_support/mariadb.ts";

const command = findMariadb();
const skip = skipsWithoutMariadb(command, "The tests of plans on MariaDB");

const LATER = "'2100-01-01'";

/** Rows of each table: enough for a plan without an index to be a bad one. */
const FILL = `
  insert into user (id, name, email) select seq, 'Ada', concat('user-', seq) from seq_1_to_5000;
  insert into account (userId, type, provider, providerAccountId) select seq, 'oauth', 'github', seq from seq_1_to_5000;
  insert into session (sessionToken, userId, expires, provider, providerSid)
    select concat('s', seq), seq, ${LATER}, 'github', seq from seq_1_to_5000;
  insert into verificationToken (identifier, token, expires) select seq, seq, ${LATER} from seq_1_to_5000;
  insert into authenticator (credentialID, userId, providerAccountId, credentialPublicKey, counter, credentialDeviceType,
    credentialBackedUp) select seq, seq, seq, 'key', 0, 'singleDevice', false from seq_1_to_5000;
  insert into authRecord (kind, id, userId, \`group\`, version, expires, data)
    select 'member', lpad(seq, 6, '0'), 1 + seq % 5000, concat('g', seq % 100), 1, ${LATER}, '{}' from seq_1_to_20000;
  insert into onceMark (\`key\`, expires) select seq, ${LATER} from seq_1_to_5000;
  insert into authBucket (\`key\`, expires) select seq, 4102444800000 from seq_1_to_5000;
  analyze table user, account, session, verificationToken, authenticator, authRecord, onceMark, authBucket;
`;

interface Step {
  readonly type: string;
  readonly Extra: string | null;
}

describe("the plans of MariaDB", { skip }, () => {
  let server: MariadbServer;
  let pool: mysql.Pool;
  before(async () => {
    server = await startMariadb(command);
    pool = mysql.createPool({ uri: server.url, connectionLimit: 4, multipleStatements: true });
  });
  after(async () => {
    await pool.end();
    await server.stop();
  });

  test("no statement reads all rows of a table, and a page of records reads its own rows", async () => {
    const said = new Map<string, (string | null)[]>();
    type Statement = { sql: string; values: (string | null)[] };
    const noting = (connection: mysql.Pool | mysql.PoolConnection) => (statement: Statement) => {
      said.set(statement.sql, statement.values);
      return connection.execute(statement);
    };
    const noted = {
      execute: noting(pool),
      getConnection: async () => {
        const connection = await pool.getConnection();
        const query = (text: string) => connection.query(text);
        const destroy = () => connection.destroy();
        return { query, execute: noting(connection), release: () => connection.release(), destroy };
      },
    } as never;
    await mysqlAdapter(noted).migrate();
    const [found] = await pool.query("show tables");
    const tables = (found as object[]).map((row) => Object.values(row)[0]);
    const emptied = `set foreign_key_checks = 0; ${tables.map((table) => `delete from \`${table}\``).join(";")};
      set foreign_key_checks = 1`;
    const open = async () => {
      await pool.query(emptied);
      let clock = Date.UTC(2031, 0, 1);
      const now = { set: (milliseconds: number) => void (clock = milliseconds) };
      return { adapter: mysqlAdapter(noted, { now: () => clock }), now };
    };
    for (const { run } of conformanceCases(open)) await run();
    const adapter = mysqlAdapter(noted);
    for (let times = 0; times < 64; times++) await adapter.once(`key ${times}`, new Date());
    for (let times = 0; times < 64; times++) {
      await adapter.take([{ key: `bucket ${times}`, every: 1000, burst: 1 }], new Date());
    }
    await pool.query(emptied);
    await pool.query(FILL);

    const statements = [...said].filter(([sql]) =>
      /^(?:select|update|delete) /.test(sql) && !sql.includes("information_schema") && !/@@|_lock\(/.test(sql)
    );
    assert.ok(statements.length > 40, `${statements.length} statements`);
    const swept = statements.filter(([sql]) => sql.endsWith("skip locked"));
    assert.equal(swept.length, 5, "tables whose rows end are swept");
    const scans: string[] = [];
    for (const [sql, values] of statements) {
      const [rows] = await pool.query(`explain ${sql}`, values);
      const steps = rows as Step[];
      const isScan = steps.some(({ type, Extra }) =>
        /^(?:ALL|index)$/.test(type) || /filesort|temporary/.test(Extra ?? "")
      );
      if (isScan) scans.push(`${sql}\n${JSON.stringify(steps)}`);
    }
    assert.deepEqual(scans, []);

    for (const after of ["", "010000"]) {
      const single = mysql.createPool({ uri: server.url, connectionLimit: 1 });
      const lister = mysqlAdapter(single);
      await lister.listRecords({ kind: "member", group: "none", limit: 1 });
      await single.query("flush status");
      const page = await lister.listRecords({ kind: "member", group: "g7", after, limit: 100 });
      assert.equal(page.length, 100);
      const [status] = await single.query("show session status like 'Handler_read%'");
      const read = (status as { Value: string }[]).reduce((sum, { Value }) => sum + Number(Value), 0);
      assert.ok(read <= 102, `${read} rows read`);
      await single.end();
    }
  });
});
