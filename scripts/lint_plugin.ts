/**
 * The rules of `deno lint` that only this project has: what published code may not do, and where it may.
 *
 * @module
 */

/** The only file that reads the clock, waits, asks the network or the system. Everything else is given a `Runtime`. */
const RUNTIME = "src/kernel/runtime.ts";

/** What describes the system, for the log and the check. It is loaded late, and the runtime is not. */
const DESCRIBING = ["src/kernel/copies.ts", "src/kernel/platform.ts", "src/kernel/variables.ts"];

/** Runs in a page, whose globals are all there is. */
const IN_PAGES = "client/";

/** Where a `Response` may be made. */
const RESPONSE_MAKERS: readonly string[] = [
  "src/service/respond.ts",
  "bindings/host/host.ts", // copies an answer of the application, to add cookies
  "bindings/host/around.ts", // copies an answer, to tell a router more
  "bindings/host/next_proxy.ts", // tells the router to go on
  "src/kernel/errors.ts", // answers where the service did not make the error
  "src/contract/provider_answers.ts", // repairs an answer of a provider
  "src/http/with_cookies.ts", // copies an answer of the application, to add cookies
  "src/oauth_client/outbound.ts", // copies an answer of a provider, once its body is read
  "src/oauth_client/token_endpoint.ts", // hands tokens to a library that reads responses
  "src/oauth/userinfo.ts", // hands what was decrypted to the same library
];

/** Lines of code that a file may hold: not blank, not a comment, not an import. */
const MOST_LINES = 200;

/** The texts in one language: a table, as long as there are texts. */
const TEXTS = /^src\/texts\/[a-z]{2}(?:_[a-z]+)?\.ts$/;

/** Globals that only the runtime may touch. */
const GLOBALS = new Set(["fetch", "setTimeout", "setInterval", "setImmediate", "Deno", "Bun", "process", "globalThis"]);

/** Members of globals that only the runtime may touch. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  Date: ["now"],
  Math: ["random"],
  performance: ["now"],
  crypto: ["getRandomValues", "randomUUID"],
};

type Node = Deno.lint.Node;

/** Deno's `Node` leaves this one out. */
type Pattern = Node | Deno.lint.TSParameterProperty;

const ROOT = import.meta.dirname?.replace(/scripts$/, "") ?? "";

/** The path of a published file from the root of the project; `null` for scripts, tests and examples. */
function publishedPath(filename: string): string | null {
  const path = (filename.startsWith(ROOT) ? filename.slice(ROOT.length) : filename).replaceAll("\\", "/");
  return /^(?:src|adapters|bindings|cli|client|migrate)\/|^mod\.ts$/.test(path) ? path : null;
}

/** Whether an identifier reads a global, rather than naming a member, a declaration or something of the same name. */
function isGlobal(node: Deno.lint.Identifier): boolean {
  const { parent } = node;
  if (parent.type === "TSQualifiedName" && parent.right === node) return false;
  const isName = ("property" in parent && parent.property === node) || ("key" in parent && parent.key === node);
  if (isName && !("computed" in parent && parent.computed)) return false;
  let at: Pattern | undefined = parent;
  while (at) {
    if (declaredBy(at).includes(node.name)) return false;
    at = "parent" in at ? at.parent : undefined;
  }
  return true;
}

/** The names that a function, a block or a file declares. */
function declaredBy(node: Pattern): string[] {
  if ("params" in node && Array.isArray(node.params)) {
    return (node.params as Pattern[]).flatMap((param) => namesIn(param));
  }
  if (node.type !== "BlockStatement" && node.type !== "Program") return [];
  return node.body.flatMap((statement) => {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    switch (declaration?.type) {
      case "VariableDeclaration":
        return declaration.declarations.flatMap(({ id }) => namesIn(id));
      case "FunctionDeclaration":
        return namesIn(declaration.id);
      case "ImportDeclaration":
        return declaration.specifiers.flatMap(({ local }) => namesIn(local));
      default:
        return [];
    }
  });
}

/** The names that a pattern binds: `{ a, b: [c] }` binds `a` and `c`. */
function namesIn(pattern: Pattern | null | undefined): string[] {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern.name];
    case "AssignmentPattern":
      return namesIn(pattern.left);
    case "RestElement":
      return namesIn(pattern.argument);
    case "ArrayPattern":
      return pattern.elements.flatMap((each) => namesIn(each));
    case "ObjectPattern":
      return pattern.properties.flatMap((each) => namesIn(each.type === "Property" ? each.value : each));
    default:
      return [];
  }
}

/** The member of a global that is read, as `Date.now`; by a dot or by a string in brackets. */
function memberOf({ object, property, computed }: Deno.lint.MemberExpression): [object: string, member: string] | null {
  if (object.type !== "Identifier" || !isGlobal(object)) return null;
  if (!computed && property.type === "Identifier") return [object.name, property.name];
  return property.type === "Literal" ? [object.name, String(property.value)] : null;
}

const runtimeOnly: Deno.lint.Rule = {
  create(context) {
    const path = publishedPath(context.filename);
    if (path === null || path === RUNTIME || DESCRIBING.includes(path) || path.startsWith(IN_PAGES)) return {};
    const report = (node: Node, what: string): void =>
      context.report({ node, message: `${what} belongs in ${RUNTIME}` });
    return {
      Identifier(node) {
        if (GLOBALS.has(node.name) && isGlobal(node)) report(node, node.name);
      },
      MemberExpression(node) {
        const [object = "", member = ""] = memberOf(node) ?? [];
        if (Object.hasOwn(MEMBERS, object) && MEMBERS[object]?.includes(member)) report(node, `${object}.${member}`);
      },
      NewExpression(node) {
        const { callee } = node;
        const isDate = callee.type === "Identifier" && callee.name === "Date" && isGlobal(callee);
        if (isDate && node.arguments.length === 0) report(node, "new Date()");
      },
      CallExpression(node) {
        const { callee } = node;
        if (callee.type === "Identifier" && callee.name === "Date" && isGlobal(callee)) report(node, "Date()");
      },
    };
  },
};

const responseMakers: Deno.lint.Rule = {
  create(context) {
    const path = publishedPath(context.filename);
    if (path === null || RESPONSE_MAKERS.includes(path)) return {};
    const report = (node: Node, what: string): void => {
      context.report({ node, message: `${what} belongs in ${RESPONSE_MAKERS[0]}` });
    };
    return {
      NewExpression(node) {
        const { callee } = node;
        if (callee.type === "Identifier" && callee.name === "Response" && isGlobal(callee)) {
          report(node, "new Response()");
        }
      },
      MemberExpression(node) {
        const [object, member = ""] = memberOf(node) ?? [];
        if (object === "Response" && ["json", "redirect", "error"].includes(member)) {
          report(node, `Response.${member}()`);
        }
      },
    };
  },
};

const literalImports: Deno.lint.Rule = {
  create(context) {
    if (publishedPath(context.filename) === null) return {};
    return {
      ImportExpression(node) {
        if (node.source.type === "Literal") return;
        context.report({
          node,
          message: "Bundlers cannot follow an import that is computed: write the path as a string",
        });
      },
    };
  },
};

const maxLines: Deno.lint.Rule = {
  create(context) {
    const path = publishedPath(context.filename);
    if (path === null || TEXTS.test(path)) return {};
    return {
      Program(node) {
        const imports = node.body.filter(({ type }) => type === "ImportDeclaration");
        let code = context.sourceCode.text;
        // From the end, so that earlier ranges stay true.
        const left = [...node.comments, ...imports].map(({ range }) => range).sort(([a], [b]) => b - a);
        for (const [start, end] of left) code = code.slice(0, start) + code.slice(end);
        const lines = code.split("\n").filter((line) => line.trim()).length;
        if (lines <= MOST_LINES) return;
        const message = `This file has ${lines} lines of code, more than ${MOST_LINES}`;
        context.report({ range: [0, 1], message });
      },
    };
  },
};

/** The plugin, by its name in deno.json and in the ids of its rules. */
const plugin: Deno.lint.Plugin = {
  name: "x-auth",
  rules: {
    "runtime-only": runtimeOnly,
    "response-makers": responseMakers,
    "literal-imports": literalImports,
    "max-lines": maxLines,
  },
};

export default plugin;
