import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { runCommand } from "../../../cli/main.ts";

describe("runCommand()", () => {
  test("lists the commands without an argument, or if it is asked for help", async () => {
    for (const args of [[], ["--help"], ["-h"]]) {
      const { code, output, error } = await runCommand(args);
      assert.deepEqual([code, error], [0, ""]);
      assert.match(
        output,
        /^Usage: .*\n\n {2}doctor .*\n {2}schema .*\n {2}secret .*\n {2}session .*\n {2}test-session /,
      );
    }
  });

  test("names the known commands for one that it does not know, whatever it is called", async () => {
    for (const name of ["shcema", "toString", "__proto__", ""]) {
      assert.deepEqual(await runCommand([name]), {
        code: 2,
        output: "",
        error:
          `Unknown command "${name}": the commands are doctor, schema, secret, session, test-session\nSee npx @x/auth --help\n`,
      });
    }
  });

  test("gives what a subcommand prints, or what is wrong with its arguments", async () => {
    assert.match((await runCommand(["schema", "sql", "--dialect", "sqlite"])).output, /^create table/);
    assert.deepEqual(await runCommand(["schema", "sql"]), {
      code: 2,
      output: "",
      error:
        "Choose a database: --dialect postgres, --dialect mysql, --dialect sqlite\nSee npx @x/auth schema --help\n",
    });
  });

  test("makes a secret that is long enough and new each time, and repeats none that it is given", async () => {
    const made = await Promise.all([runCommand(["secret"]), runCommand(["secret"])]);
    for (const { code, output } of made) {
      assert.equal(code, 0);
      assert.match(output, /^AUTH_SECRET=[\w-]{44}\n$/);
    }
    assert.notEqual(made[0]?.output, made[1]?.output);
    const { version, secret } = JSON.parse((await runCommand(["secret", "--json"])).output);
    assert.equal(version, 1);
    assert.match(secret, /^[\w-]{44}$/);
    const { code, output, error } = await runCommand(["secret", "canary"]);
    assert.deepEqual([code, output, error], [2, "", "Leave out all but --json\nSee npx @x/auth secret --help\n"]);
  });
});
