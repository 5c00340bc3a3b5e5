/** The marks of the providers: icons of a package that is large, so it is a project of its own, installed when this runs. */
import assert from "node:assert/strict";
import { test } from "node:test";

const FOLDER = "scripts/marks";

/** Runs Deno; the answer is what it wrote. */
async function run(cwd: string, ...args: readonly string[]): Promise<{ success: boolean; text: string }> {
  const command = new Deno.Command(Deno.execPath(), { args: [...args], cwd, env: { NO_COLOR: "1" }, stdin: "null" });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { success, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

test("every provider has the mark that its icon makes, or an initial if there is none", async (t) => {
  const installed = await run(FOLDER, "install", "--frozen");
  if (!installed.success) {
    const message = `*** The marks were not compared, because the icons cannot be installed: ${installed.text}`;
    assert.notEqual(Deno.env.get("CI"), "true", message);
    await Deno.stderr.write(new TextEncoder().encode(`\n${message}\n\n`));
    return t.skip(message);
  }
  for (const args of [["fmt", "--check"], ["lint"], ["check", "icons.ts"]]) {
    const { success, text } = await run(FOLDER, ...args);
    assert.ok(success, text);
  }
  const { success, text } = await run(
    ".",
    "run",
    "--allow-read",
    "--allow-run",
    "scripts/provider_marks.ts",
    "--check",
  );
  assert.ok(success, `${text}Run: deno run -A scripts/provider_marks.ts`);
});
