/**
 * Who makes the values of a type. What a program gives (options, adapters) may take more later, and what it gets (a
 * session) may have more later; the other way round breaks programs.
 *
 * @module
 */
import type { Declaration, Definition, Member, Parameter, Place, Signature, TypeNode } from "./_doc.ts";

/** `give`: programs make them. `get`: programs are given them. `both`: either, or it cannot be seen. */
export type Role = "give" | "get" | "both";

type Side = "give" | "get";

const OTHER = { give: "get", get: "give" } as const;

/** Follows every type from the functions that are exported, and says of each name which role it has. */
export function rolesOf(declarations: readonly (readonly [name: string, Declaration])[]): (name: string) => Role {
  const types = Map.groupBy(declarations.filter(([, { kind }]) => !isValue(kind)), ([name]) => name);
  const sides = new Map<string, Set<Side>>();
  const queue: (() => void)[] = [];
  const mark = (name: string, side: Side): void => {
    const known = sides.get(name) ?? new Set();
    if (known.has(side)) return;
    sides.set(name, known.add(side));
    for (const [, { def }] of types.get(name) ?? []) queue.push(() => visitDefinition(def, side, mark));
  };
  for (const [name, { kind, location, def }] of declarations) {
    const { returnType: _, ...taken } = def;
    if (isValue(kind)) visitDefinition(isMaker(name, location) ? taken : def, "get", mark);
    if (kind === "class") mark(name, "get");
  }
  for (let next = queue.pop(); next; next = queue.pop()) next();
  return (name) => {
    const found = [...sides.get(name) ?? []];
    return found.length === 1 && found[0] ? found[0] : "both";
  };
}

/** Whether a function makes what programs give to others, as they could write it themselves: a provider, an adapter. */
function isMaker(name: string, { filename }: Place): boolean {
  return name === "defineConfig" || /\/adapters\/|\/src\/providers\/|\/contract\/provider/.test(filename);
}

/** Whether a declaration is of a value and not of a type. */
export function isValue(kind: Declaration["kind"]): boolean {
  return kind === "function" || kind === "variable";
}

/** Types that have values of their first parameters in them. What others do with theirs is not followed. */
const CONTAINERS = new Set(
  "Awaitable Iterable NonNullable Omit Partial Pick Promise Readonly ReadonlyArray ReadonlyMap Record Required Settled"
    .split(" "),
);

/** Types whose parameter is the profile that a provider answers with. */
const OF_PROFILES = new Set(["OAuthOptions", "OAuthProvider", "OidcOptions", "OidcProvider"]);

type Mark = (name: string, side: Side) => void;

function visitDefinition(def: Definition, side: Side, mark: Mark): void {
  if (def.params) visitSignature({ ...def, params: def.params }, side, mark);
  else if (def.tsType) visit(def.tsType, side, mark);
  for (const each of [...def.callSignatures ?? [], ...def.constructors ?? []]) visitSignature(each, side, mark);
  for (const { tsType } of def.indexSignatures ?? []) if (tsType) visit(tsType, side, mark);
  for (const member of [...def.properties ?? [], ...def.methods ?? []]) visitMember(member, side, mark);
  const above = typeof def.extends === "string" ? [] : def.extends ?? [];
  if (typeof def.extends === "string") mark(def.extends, side);
  for (const type of [...above, ...def.superTypeParams ?? []]) visit(type, side, mark);
}

function visitMember(
  { functionDef, params, returnType, tsType, typeParams = [] }: Member,
  side: Side,
  mark: Mark,
): void {
  if (functionDef) visitSignature(functionDef, side, mark);
  else if (params) visitSignature({ params, typeParams, ...returnType && { returnType } }, side, mark);
  if (tsType) visit(tsType, side, mark);
}

function visitSignature({ typeParams = [], params, returnType, tsType }: Signature, side: Side, mark: Mark): void {
  for (const { constraint } of typeParams) if (constraint) visit(constraint, OTHER[side], mark);
  for (const each of params) visitParameter(each, OTHER[side], mark);
  const result = returnType ?? tsType;
  if (result) visit(result, side, mark);
}

function visitParameter({ left, tsType }: Parameter, side: Side, mark: Mark): void {
  if (left) visitParameter(left, side, mark);
  if (tsType) visit(tsType, side, mark);
}

function visit({ kind, value }: TypeNode, side: Side, mark: Mark): void {
  if (kind === "fnOrConstructor") return visitSignature(value, side, mark);
  if (kind === "typeLiteral") return visitDefinition(value, side, mark);
  if (kind === "typeRef") {
    mark(value.typeName, side);
    const args: readonly TypeNode[] = value.typeParams ?? [];
    if (CONTAINERS.has(value.typeName)) { for (const each of args) visit(each, side, mark); }
    // Programs read what a provider answers, and never make it.
    if (OF_PROFILES.has(value.typeName)) { for (const each of args) visit(each, "get", mark); }
    return;
  }
  // What a condition asks is no part of the value.
  if (kind === "conditional") return [value.trueType, value.falseType].forEach((each) => visit(each, side, mark));
  for (const inner of typesIn(value)) visit(inner, side, mark);
}

/** The types that stand directly in another, whatever its kind. */
function typesIn(value: unknown): TypeNode[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((each) => isType(each) ? [each] : typesIn(each));
  return Object.values(value).flatMap((each) => isType(each) ? [each] : typesIn(each));
}

function isType(value: unknown): value is TypeNode {
  return typeof value === "object" && value !== null && "kind" in value && "value" in value;
}
