/** What the URL of a request does not show: pages that a framework finds by another path than the one that was asked for. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { chosenExamples, chosenVariants, type Example, installExample } from "./_examples.ts";
import { openSite, type RawAnswer, type Site } from "./_site.ts";
import { signedIn, type Story } from "./_words.ts";

/** A path, and headers to ask for it with. */
type Target = readonly [path: string, headers?: Readonly<Record<string, string>>];

// Judged by the body alone: an answer may carry the page beside a status that says that it does not.
// The API of an example tells strangers `{}`.
const GUARDED = /For members only|\u{fffd}PNG|^\{\}$/u;

async function sendFollowing(site: Site, [path, headers]: Target): Promise<RawAnswer> {
  const answer = await site.raw(path, "GET", headers);
  // Next has its own name for the answer to each set of headers.
  const named = /^\/.*[?&]_rsc/.exec(String(answer.headers.location));
  return named ? await site.raw(named[0], "GET", headers) : answer;
}

function denies(targets: (folder: string) => readonly Target[]): (site: Site, folder: string) => Promise<void> {
  return async (site, folder) => {
    const open: string[] = [];
    for (const target of targets(folder)) {
      const { status, text } = await sendFollowing(site, target);
      if (GUARDED.test(text) || status >= 500) open.push(`${status} ${JSON.stringify(target)}`);
    }
    assert.deepEqual(open, []);
  };
}

function shows(...pages: readonly (readonly [path: string, text: string])[]): Story[1] {
  return async (site) => {
    const browser = await signedIn(site);
    for (const [path, text] of pages) {
      const answer = await browser.get(site.home + path);
      assert.ok((await answer.text()).includes(text), `${answer.status} ${path}`);
    }
  };
}

const SOFT = [
  {},
  { rsc: "1" },
  { rsc: "1", "next-url": "/feed" },
  { rsc: "1", "next-router-prefetch": "1" },
  { rsc: "1", "next-router-prefetch": "1", "next-router-segment-prefetch": "/_tree" },
];

const PREVIEWS = [
  "/(.)members/1",
  "/feed/(..)members/1",
  "/feed/deep/(..)(..)members/1",
  "/feed/far/(...)members/1",
  "/members/album/(..)(..)photo/1",
].flatMap((
  path,
) => [path, path.replaceAll("(", "%28").replaceAll(")", "%29"), path.replaceAll(".", "%2e"), `${path}/`]);

function previews(folder: string): readonly Target[] {
  const data = dataOf(folder);
  return PREVIEWS.flatMap((path) => [path, `${path}.rsc`, `${data}${path}.json`, `${data}/${path}`])
    .flatMap((path) => SOFT.map((headers): Target => [path, headers]));
}

function dataOf(folder: string): string {
  return `/_next/data/${readFileSync(`${folder}/.next/BUILD_ID`, "utf8")}`;
}

function localized(folder: string): readonly Target[] {
  const data = dataOf(folder);
  const pages = ["/members/letters", "/members/news"];
  const locales = ["", "/en", "/EN", "/de", "/DE", "/De", "/%64e", "/de/de"];
  return pages.flatMap((page) =>
    locales.flatMap((locale) => [
      `${locale}${page}`,
      `${locale}/${page}`,
      `${data}${locale}${page}.json`,
      `${data}${locale}${page}`,
      `${locale}${data}${page}.json`,
      `${locale}${data}/de${page}.json`,
      `/_next/data/another${locale}${page}.json`,
      `${locale}/_next/data/another${page}.json`,
      `//_next/data/another${locale}${page}.json`,
    ])
  ).flatMap((path): Target[] => [[path], [path, { "x-nextjs-data": "1" }]]);
}

interface Rewrites {
  readonly name: string;
  readonly stories: readonly (readonly [sentence: string, tell: (site: Site, folder: string) => Promise<void>])[];
}

const SITES: readonly Rewrites[] = [
  {
    name: "next",
    stories: [
      ["no marker of an intercepting route opens a guarded page", denies(previews)],
      [
        "no page that a visitor says to come from opens a guarded page",
        denies(() =>
          ["/members/album", "/members/album/x", "/MEMBERS/album", "/%6dembers/album", "//members/album"].flatMap((
            from,
          ) => SOFT.map((headers): Target => ["/photo/1", { ...headers, "next-url": from }]))
        ),
      ],
      ["the page itself is for everybody", async (site) => {
        for (const headers of [{}, { "next-url": "/members/album" }, { "next-url": "/feed" }]) {
          assert.match((await site.raw("/photo/1", "GET", headers)).text, /Photo 1 for everybody/);
        }
      }],
      [
        "members see what intercepting routes show",
        async (site) => {
          const browser = await signedIn(site);
          const preview = await browser.get(`${site.home}/photo/1`, { headers: { "next-url": "/members/album" } });
          assert.match(await preview.text(), /For members only: photo in the album/);
          await shows(["/feed/(..)members/1", "preview 1"], ["/members/1", "number 1"])(site);
        },
      ],
      ["guarded pages are kept by no cache", async (site) => {
        const browser = await signedIn(site);
        for (const path of ["/members/static", "/members/fresh", "/members/1", "/members/picture.png"]) {
          for (const headers of [{}, ...SOFT]) {
            const answer = await browser.get(site.home + path, { headers });
            await answer.body?.cancel();
            const { status } = answer;
            assert.equal(status === 200 || status === 307, true, `${path} ${status}`);
            assert.equal(answer.headers.get("cache-control"), "private, no-store", path);
          }
        }
      }],
      ["pages for everybody are kept as Next says", async (site) => {
        for (const browser of [site.browser(), await signedIn(site)]) {
          const answer = await browser.get(`${site.home}/about`);
          await answer.body?.cancel();
          assert.match(answer.headers.get("cache-control") ?? "", /s-maxage/);
        }
      }],
      ["the image optimizer gets no guarded picture, and does not fail", async (site) => {
        const path = "/_next/image?url=%2Fmembers%2Fpicture.png&w=64&q=75";
        for (const browser of [site.browser(true), await signedIn(site, true)]) {
          const answer = await browser.get(site.home + path);
          assert.equal(answer.status, 401);
          assert.doesNotMatch(await answer.text(), GUARDED);
        }
      }],
      ["members see a guarded picture", shows(["/members/picture.png", "PNG"])],
    ],
  },
  {
    name: "next-i18n",
    stories: [
      ["no locale, and no URL of data, opens a guarded page", denies(localized)],
      ["no marker of an intercepting route opens a guarded page", denies(previews)],
      [
        "members see guarded pages in every locale",
        (site, folder) =>
          shows(
            ["/members/letters", "letters"],
            ["/de/members/letters", "letters"],
            ["/de/members/news", "news"],
            [`${dataOf(folder)}/de/members/letters.json`, "letters"],
            [`${dataOf(folder)}/en/members/news.json`, "news"],
          )(site),
      ],
    ],
  },
  {
    name: "react-router",
    stories: [
      [
        "no locale that may be left out opens a guarded page",
        denies(() =>
          ["", "/de", "/DE", "/%64e", "//de"].map((locale) => `${locale}/members/letters`)
            .flatMap((
              path,
            ): Target[] => [[path], [`${path}/`], [`${path}.data`], [`${path}.data?_routes=routes/letters`]])
        ),
      ],
      [
        "members see guarded pages in every locale",
        shows(["/members/letters", "letters"], ["/de/members/letters", "letters"], [
          "/de/members/letters.data",
          "letters",
        ]),
      ],
    ],
  },
  {
    name: "sveltekit",
    stories: [
      [
        "no path that is rerouted opens a guarded page",
        denies(() =>
          ["members", "%6dembers", "api/members", "members/number-7", "members/en/number-7", "members/files/a/b%2Fc"]
            .flatMap((path) => [`/${path}`, `/de/${path}`])
            .flatMap((
              path,
            ): Target[] => [[path], [`${path}/`], [`${path}/__data.json`], [path, { accept: "text/html" }]])
        ),
      ],
      [
        "members see pages that are rerouted",
        shows(
          ["/de/members", "For members only: Ada Lovelace"],
          ["/de/members/en/number-7", "For members only: data"],
          ["/de/members/files/a/b%2Fc", "For members only: data"],
          ["/de/members/files/a/__data.json", "For members only: data"],
        ),
      ],
    ],
  },
  {
    name: "astro-i18n",
    stories: [
      [
        "no locale that falls back opens a guarded page",
        denies(() =>
          ["members", "%6dembers", "/members", "api/members", "members/1", "members/files", "members/files/a/b%2Fc"]
            .flatMap((path) => ["", "/de", "/francais", "/fr", "/en", "/DE"].map((locale) => `${locale}/${path}`))
            .concat("/elsewhere", "/de/elsewhere", "/before", "/behind")
            .flatMap((path): Target[] => [[path], [`${path}/`], [path, { "sec-fetch-mode": "cors" }]])
        ),
      ],
      [
        "members see guarded pages",
        shows(
          ["/members", "For members only: Ada Lovelace"],
          ["/members/1", "number 1"],
          ["/elsewhere", "number 7"],
          ["/before", "number 8"],
          ["/behind", "number 9"],
        ),
      ],
    ],
  },
];

for (const example of [...chosenExamples(), ...chosenVariants()]) {
  const stories = SITES.find(({ name }) => name === example.name)?.stories;
  if (stories) testRewrites(example, stories);
}

function testRewrites(example: Example, stories: Rewrites["stories"]): void {
  test(`${example.name} and pages at another path than that of the request`, async (t) => {
    const folder = await installExample(example);
    const site = await openSite(example, folder);
    try {
      for (const [sentence, tell] of stories) await t.test(sentence, () => tell(site, folder));
    } finally {
      await site.close();
    }
  });
}
