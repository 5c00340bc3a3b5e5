/**
 * Writes the icons with the slugs in its arguments as JSON. Slugs without an icon are left out.
 *
 * A project of its own, because the packages are large and only ../provider_marks.ts needs them.
 *
 * @module
 */
import brands from "@iconify-json/cib/icons.json" with { type: "json" };
import about from "@iconify-json/cib/info.json" with { type: "json" };
import * as icons from "simple-icons";
import type { Icon } from "../provider_marks.ts";
import { scalePath } from "../round_path.ts";

const bySlug = new Map(Object.values(icons).flatMap((icon) => "slug" in icon ? [[icon.slug, icon] as const] : []));

/** The prefix of the slugs of CoreUI Brands. */
const BRANDS = "cib:";

const SIDE = 24;

function iconOf(slug: string): Icon | null {
  if (slug.startsWith(BRANDS)) return brandIcon(slug.slice(BRANDS.length));
  const icon = bySlug.get(slug);
  return icon ? { path: icon.path, hex: icon.hex, license: icon.license?.type ?? null } : null;
}

/** An icon that is exactly one shape in the colour of the text. */
function brandIcon(name: string): Icon | null {
  const body = Object.entries(brands.icons).find(([known]) => known === name)?.[1].body ?? "";
  const path = /^<path fill="currentColor" d="([^"]+)"\/>$/.exec(body)?.[1];
  return path ? { path: scalePath(path, SIDE / brands.height), hex: null, license: about.license.spdx } : null;
}

const found = Deno.args.flatMap((slug): readonly (readonly [string, Icon])[] => {
  const icon = iconOf(slug);
  return icon ? [[slug, icon]] : [];
});

await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(Object.fromEntries(found))));
