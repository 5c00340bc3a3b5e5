/** Tells the stories in each framework, in the example that users copy. `FRAMEWORKS="hono express"` chooses some. */
import { test } from "node:test";
import { printLine } from "../../scripts/print.ts";
import { searchForSecrets } from "./_canary.ts";
import { chosenExamples, type Example, installExample, isInstalledByItself, secondsSince } from "./_examples.ts";
import { within } from "./_programs.ts";
import { openSite, type SiteOptions } from "./_site.ts";
import { MOVED, STORIES, type Story } from "./_stories.ts";
import { compile, COMPILERS } from "./_types.ts";

interface Setting {
  readonly name: string;
  readonly options: SiteOptions;
  readonly stories: readonly Story[];
}

const SETTINGS: readonly Setting[] = [
  { name: "", options: {}, stories: STORIES },
  { name: " at another path", options: { basePath: "/accounts/me" }, stories: MOVED },
  { name: " below a prefix", options: { prefix: "/app" }, stories: MOVED },
];

/** Seconds that one story may take. */
const LIMIT = 60;

const examples = chosenExamples();

for (const [index, example] of examples.entries()) {
  // The next one is installed and built while the stories of this one are told: they leave half of a machine idle.
  const folderOf = async (): Promise<string> => {
    const folder = await installExample(example);
    const next = examples[index + 1];
    if (next) void installExample(next);
    return folder;
  };
  for (const { name, options, stories } of SETTINGS) {
    if (example.fixedPath && options.basePath) continue;
    test(example.name + name, async (t) => {
      const folder = await folderOf();
      const begun = performance.now();
      const site = await openSite(example, folder, options);
      try {
        for (const [sentence, tell] of stories) {
          await t.test(sentence, () => within(LIMIT, sentence, tell(site)));
        }
      } finally {
        await site.close();
      }
      printLine(`${example.name}${name}: ${stories.length} stories in ${secondsSince(begun)}`);
    });
  }
  if (isInstalledByItself(example)) testInstalled(example, folderOf);
}

function testInstalled(example: Example, folderOf: () => Promise<string>): void {
  for (const compiler of COMPILERS) {
    test(`${example.name} is accepted by TypeScript ${compiler}`, async () => {
      await compile(compiler, await folderOf());
    });
  }
  if (example.browserFiles) {
    const { browserFiles } = example;
    test(`${example.name} gives browsers no secret`, async () => {
      searchForSecrets(await folderOf(), browserFiles);
    });
  }
}
