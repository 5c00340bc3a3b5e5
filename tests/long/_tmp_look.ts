import { PAGE_EXAMPLES, renderExample } from "../../scripts/screenshots.ts";
import { LANGUAGES } from "../../src/texts/languages.ts";
import { findChromium, startChromium } from "../_support/chromium.ts";
import { lookAround, openStage, SITE } from "../e2e/pages_stage.ts";
import { answerWith, audit, MEASURE, STOPS } from "../e2e/pages_tour.ts";
const ex = PAGE_EXAMPLES.filter(({ name }) => /^(proof|factors)/.test(name));
const b = await startChromium(findChromium());
const stage = await openStage(b, answerWith(ex), { bypassCSP: true });
const page = await stage.context.newPage();
let n = 0;
const bad = new Map<string, number>();
const say = (what: unknown, where: string) => {
  for (const w of what as string[]) {
    const k = w.slice(0, 400);
    if (!bad.has(k)) console.log(where, k);
    bad.set(k, (bad.get(k) ?? 0) + 1);
  }
};
const langs = Deno.args.length ? LANGUAGES.filter((l) => Deno.args.includes(l.tag)) : LANGUAGES;
for (const { tag } of langs) {
  for (const { name } of ex) {
    await page.goto(`${SITE}/${name}?lang=${tag}`);
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      say(await page.evaluate(MEASURE), `${name} ${tag} ${width}`);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      say(await audit(page), `${name} ${tag} ${colorScheme}`);
      n++;
    }
    say(await lookAround(page), `${name} ${tag}`);
  }
}
console.log(n, stage.faults.slice(0, 5));
await stage.close();
await b.close();
