/**
 * Writes the icons with the slugs in its arguments as JSON. Slugs without an icon are left out.
 *
 * A project of its own, because the package is large and only ../provider_marks.ts needs it.
 *
 * @module
 */
import * as icons from "simple-icons";
import type { Icon } from "../provider_marks.ts";

const bySlug = new Map(Object.values(icons).flatMap((icon) => "slug" in icon ? [[icon.slug, icon] as const] : []));

const found = Deno.args.flatMap((slug): readonly (readonly [string, Icon])[] => {
  const icon = bySlug.get(slug);
  return icon ? [[slug, { path: icon.path, hex: icon.hex, license: icon.license?.type ?? null }]] : [];
});

await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(Object.fromEntries(found))));
