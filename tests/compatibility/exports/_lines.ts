/**
 * The exports as lines: which names each subpath has, and once for each type and function what it is.
 *
 * - `export ./hono Session`: a name of a subpath.
 * - `use createAuth: (AuthConfig) => Auth`: a function, one line for each overload, or a constant.
 * - `give AuthConfig is interface`, and `give AuthConfig.basePath?: string`: a type whose values programs make.
 * - `get Session …`: one whose values programs are given; `both …`: either.
 * - `get AuthAction | "callback"`: an alternative of a union.
 *
 * @module
 */
import type { Declaration, Docs, Member, Place } from "./_doc.ts";
import { isValue, type Role, rolesOf } from "./_roles.ts";
import { memberText, signatureText, typeParametersText, typeText } from "./_types.ts";

/** What a name stands for: all declarations of a type, or all overloads of a function. */
interface Entity {
  readonly name: string;
  readonly declarations: readonly Declaration[];
}

/** Lists all promises of the exports. */
export function linesOf(docs: Docs): string[] {
  const entities = entitiesOf(docs);
  const all = [...new Set(entities.values())];
  const roleOf = rolesOf(all.flatMap(({ name, declarations }) => declarations.map((each) => [name, each] as const)));
  return [...exportLines(docs, entities), ...all.flatMap((entity) => entityLines(entity, roleOf(entity.name)))];
}

const placeKey = ({ filename, byteIndex }: Place): string => `${filename}:${byteIndex}`;

/** Finds what stands at each place. Where several are called the same, the subpath follows the name of the later ones. */
function entitiesOf(docs: Docs): Map<string, Entity> {
  const entities = new Map<string, Entity>();
  const taken = new Set<string>();
  // What is exported as default has a name of its own, too.
  for (const isDefault of [false, true]) {
    for (const [subpath, symbols] of docs) {
      for (const { name, declarations } of symbols.filter((symbol) => (symbol.name === "default") === isDefault)) {
        const own = declarations.filter(({ kind }) => kind !== "reference");
        for (const group of [own.filter(({ kind }) => isValue(kind)), own.filter(({ kind }) => !isValue(kind))]) {
          const [first] = group;
          if (!first || entities.has(placeKey(first.location))) continue;
          const mark = isValue(first.kind) ? "use " : "";
          const unique = taken.has(mark + name) ? `${name}@${subpath}` : name;
          taken.add(mark + unique);
          const entity = { name: unique, declarations: group };
          for (const { location } of group) entities.set(placeKey(location), entity);
        }
      }
    }
  }
  return entities;
}

function exportLines(docs: Docs, entities: ReadonlyMap<string, Entity>): string[] {
  return [...docs].flatMap(([subpath, symbols]) => [
    `export ${subpath}`,
    ...symbols.map(({ name, declarations }) => {
      const places = declarations.map(({ def, location }) => placeKey(def.target ?? location));
      const names = new Set(places.map((place) => entities.get(place)?.name ?? "?"));
      const others = [...names].filter((each) => each !== name).sort();
      return `export ${subpath} ${name}${others.length ? ` = ${others.join(", ")}` : ""}`;
    }),
  ]);
}

function entityLines({ name, declarations }: Entity, role: Role): string[] {
  return declarations.flatMap(({ kind, def }) => {
    if (kind === "function") return [`use ${name}: ${signatureText({ ...def, params: def.params ?? [] })}`];
    if (kind === "variable") return [`use ${name}: ${typeText(def.tsType)}`];
    return kind === "typeAlias" ? aliasLines(name, def, role) : shapeLines(name, kind, def, role);
  });
}

function aliasLines(name: string, { typeParams, tsType }: Declaration["def"], role: Role): string[] {
  const head = `${role} ${name} is type${typeParametersText(typeParams)}`;
  const isList = tsType?.kind === "union" &&
    tsType.value.every(({ kind }: typeof tsType) => ["literal", "keyword", "typeRef"].includes(kind));
  if (!isList) return [`${head} = ${typeText(tsType)}`];
  return [head, ...tsType.value.map((each: typeof tsType) => `${role} ${name} | ${typeText(each)}`)];
}

function shapeLines(name: string, kind: string, def: Declaration["def"], role: Role): string[] {
  const above = typeof def.extends === "string" ? [def.extends] : (def.extends ?? []).map(typeText);
  const { typeParams, properties = [], methods = [], constructors = [] } = def;
  const { callSignatures = [], indexSignatures = [] } = def;
  const line = (member: string, type: string, isReadonly = false): string =>
    `${role} ${isReadonly ? "readonly " : ""}${name}.${member}: ${type}`;
  const memberLine = (each: Member): string => {
    const label = each.computed ? `[${each.name}]` : /^[\w$]+$/.test(each.name) ? each.name : JSON.stringify(each.name);
    return line(
      `${each.isStatic ? "static-" : ""}${label}${each.optional ? "?" : ""}`,
      memberText(each),
      each.readonly,
    );
  };
  return [
    `${role} ${name} is ${kind}${typeParametersText(typeParams)}${above.length ? ` extends ${above.join(", ")}` : ""}`,
    ...constructors.map((each) => line("new", signatureText(each))),
    ...callSignatures.map((each) => line("()", signatureText(each))),
    ...indexSignatures.map(({ params, tsType }) => line(`[${typeText(params[0]?.tsType)}]`, typeText(tsType))),
    ...[...properties, ...methods].filter(({ accessibility }) => accessibility !== "private").map(memberLine),
  ];
}
