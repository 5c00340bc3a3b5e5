/**
 * Writes the icons with the slugs in its arguments as JSON. Slugs without an icon are left out.
 *
 * A project of its own, because the packages are large and only ../provider_marks.ts needs them.
 *
 * @module
 */
import brands from "@iconify-json/cib/icons.json" with { type: "json" };
import aboutBrands from "@iconify-json/cib/info.json" with { type: "json" };
import logos from "@iconify-json/logos/icons.json" with { type: "json" };
import aboutLogos from "@iconify-json/logos/info.json" with { type: "json" };
import * as icons from "simple-icons";
import type { Icon } from "../provider_marks.ts";
import { scalePath } from "../round_path.ts";

const bySlug = new Map(Object.values(icons).flatMap((icon) => "slug" in icon ? [[icon.slug, icon] as const] : []));

/** A set of icons, of which each has a size. */
interface IconSet {
  readonly icons: Readonly<
    Record<string, { readonly body: string; readonly width?: number; readonly height?: number }>
  >;
  readonly width: number;
  readonly height: number;
}

/** The sets whose slugs begin with a prefix: CoreUI Brands, and SVG Logos. */
const SETS: Readonly<Record<string, { readonly set: IconSet; readonly license: string }>> = {
  cib: { set: brands, license: aboutBrands.license.spdx },
  logos: { set: logos, license: aboutLogos.license.spdx },
};

const SIDE = 24;

function iconOf(slug: string): Icon | null {
  const [prefix = "", name] = slug.split(":");
  if (name) return iconOfSet(prefix, name);
  const icon = bySlug.get(slug);
  return icon ? { path: icon.path, hex: icon.hex, license: icon.license?.type ?? null } : null;
}

/** An icon that is exactly one shape in one colour, in the middle of a square. */
function iconOfSet(prefix: string, name: string): Icon | null {
  const { set, license } = SETS[prefix] ?? {};
  const icon = set?.icons[name];
  if (!set || !license || !icon) return null;
  const path = /^<path fill="(?:currentColor|#[\da-f]{3,6})" d="([^"]+)"\/>$/i.exec(icon.body)?.[1];
  if (!path) return null;
  const [width, height] = [icon.width ?? set.width, icon.height ?? set.height];
  const factor = SIDE / Math.max(width, height);
  const middle = { x: (SIDE - width * factor) / 2, y: (SIDE - height * factor) / 2 };
  return { path: scalePath(path, factor, middle), hex: null, license };
}

const found = Deno.args.flatMap((slug): readonly (readonly [string, Icon])[] => {
  const icon = iconOf(slug);
  return icon ? [[slug, icon]] : [];
});

await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(Object.fromEntries(found))));
