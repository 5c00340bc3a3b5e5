/** Tells the stories in each framework, in the example that users copy. `FRAMEWORKS="hono express"` chooses some. */
import { test } from "node:test";
import { chosenExamples, installExample } from "./_examples.ts";
import { openSite, type Site, type SiteOptions } from "./_site.ts";
import { MOVED, STORIES, type Story } from "./_stories.ts";

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

for (const example of chosenExamples()) {
  let folder: Promise<string> | undefined;
  for (const { name, options, stories } of SETTINGS) {
    if (example.fixedPath && options.basePath) continue;
    test(`${example.name}${name}`, async (t) => {
      folder ??= installExample(example);
      const site: Site = await openSite(example, await folder, options);
      try {
        for (const [sentence, tell] of stories) await t.test(sentence, () => tell(site));
      } finally {
        await site.close();
      }
    });
  }
}
