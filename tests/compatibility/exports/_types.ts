/**
 * Types as text, without the names of parameters, which nobody depends on.
 *
 * @module
 */
import type { Member, Parameter, Signature, TypeNode, TypeParameter } from "./_doc.ts";

/** Writes a type in one line. */
export function typeText(type: TypeNode | undefined): string {
  if (!type) return "unknown";
  const { kind, value, repr = "" } = type;
  switch (kind) {
    case "keyword":
      return String(value);
    case "literal":
      return literalText(value, repr);
    case "typeRef":
      return value.typeName + argsText(value.typeParams);
    case "union":
      return value.map(typeText).join(" | ");
    case "intersection":
      return value.map(typeText).join(" & ");
    case "array":
      return `${typeText(value)}[]`;
    case "tuple":
      return `[${value.map(typeText).join(", ")}]`;
    case "typeOperator":
      return `${value.operator} ${typeText(value.tsType)}`;
    case "parenthesized":
      return `(${typeText(value)})`;
    case "rest":
      return `...${typeText(value)}`;
    case "optional":
      return `${typeText(value)}?`;
    case "typeQuery":
      return `typeof ${typeof value === "string" ? value : repr}`;
    case "this":
      return "this";
    case "fnOrConstructor":
      return `${value.constructor === true ? "new " : ""}${signatureText(value)}`;
    case "conditional":
      return `${typeText(value.checkType)} extends ${typeText(value.extendsType)} ? ${typeText(value.trueType)} : ${
        typeText(value.falseType)
      }`;
    case "infer":
      return `infer ${parameterOfTypeText(value.typeParam)}`;
    case "indexedAccess":
      return `${typeText(value.objType)}[${typeText(value.indexType)}]`;
    case "mapped":
      return mappedText(value);
    case "typeLiteral":
      return literalMembers(value);
    case "typePredicate":
      return `${value.asserts ? "asserts " : ""}it is ${typeText(value.type)}`;
    case "importType":
      return `import(${JSON.stringify(value.specifier)}).${value.qualifier ?? ""}${argsText(value.typeParams)}`;
    default:
      throw new Error(`Cannot write a type: nothing is known of "${kind}"`);
  }
}

function literalText(value: Record<string, unknown>, repr: string): string {
  if (value.kind === "string") return JSON.stringify(value.string);
  if (value.kind === "template") return `\`${repr}\``;
  return String(value[String(value.kind)]);
}

function argsText(args: readonly TypeNode[] | undefined): string {
  return args?.length ? `<${args.map(typeText).join(", ")}>` : "";
}

function mappedText(value: {
  readonly readonly?: unknown;
  readonly optional?: unknown;
  readonly typeParam: TypeParameter;
  readonly nameType?: TypeNode;
  readonly tsType?: TypeNode;
}): string {
  const sign = (flag: unknown, text: string): string =>
    flag === true ? text : typeof flag === "string" ? `${flag === "-" || flag === "minus" ? "-" : ""}${text}` : "";
  const { name, constraint } = value.typeParam;
  const as = value.nameType ? ` as ${typeText(value.nameType)}` : "";
  const head = `${sign(value.readonly, "readonly ")}[${name} in ${typeText(constraint)}${as}]`;
  return `{ ${head}${sign(value.optional, "?")}: ${typeText(value.tsType)} }`;
}

function literalMembers(
  { properties = [], methods = [], callSignatures = [], indexSignatures = [] }: {
    readonly properties?: readonly Member[];
    readonly methods?: readonly Member[];
    readonly callSignatures?: readonly Signature[];
    readonly indexSignatures?: readonly Signature[];
  },
): string {
  const members = [
    ...callSignatures.map(signatureText),
    ...indexSignatures.map((each) => `[${parametersText(each.params)}]: ${typeText(each.tsType)}`),
    ...[...properties, ...methods].map((member) => {
      return `${member.readonly ? "readonly " : ""}${member.name}${member.optional ? "?" : ""}: ${memberText(member)}`;
    }),
  ];
  return members.length ? `{ ${members.join("; ")} }` : "{}";
}

/** Writes the type of a member. A method is a member that has a function. */
export function memberText({ functionDef, params, returnType, tsType, typeParams = [] }: Member): string {
  if (functionDef) return signatureText(functionDef);
  return params && !tsType ? signatureText({ params, typeParams, ...returnType && { returnType } }) : typeText(tsType);
}

/** Writes what can be called, as a function type. */
export function signatureText({ typeParams, params, returnType, tsType }: Signature): string {
  return `${typeParametersText(typeParams)}(${parametersText(params)}) => ${typeText(returnType ?? tsType)}`;
}

function parametersText(params: readonly Parameter[]): string {
  return params.map((each) => {
    const { kind, left, tsType, optional } = each;
    if (kind === "assign" && left) return `${typeText(left.tsType)}?`;
    return `${kind === "rest" ? "..." : ""}${typeText(tsType)}${optional ? "?" : ""}`;
  }).join(", ");
}

/** Writes the parameters of a type, or nothing. */
export function typeParametersText(params: readonly TypeParameter[] | undefined): string {
  return params?.length ? `<${params.map(parameterOfTypeText).join(", ")}>` : "";
}

function parameterOfTypeText({ name, constraint, default: or }: TypeParameter): string {
  return `${name}${constraint ? ` extends ${typeText(constraint)}` : ""}${or ? ` = ${typeText(or)}` : ""}`;
}
