import type { Mutant } from "./_mutant.ts";

const SHOW = ["tests/unit/show/show_test.ts"];
const CSP = ["tests/unit/pages/csp_test.ts"];
const BRAND = ["tests/unit/pages/brand_test.ts"];
const FIELDS = ["tests/unit/pages/fields_test.ts"];
const INJECTION = ["tests/unit/pages/injection_test.ts"];
const TEMPLATE = ["tests/unit/pages/template_test.ts"];
const RENDER = ["tests/unit/pages/render_test.ts"];
const SCRIPT = ["tests/unit/pages/passkey_script_test.ts"];

/** What a page may show, and to whom. */
export const pages: readonly Mutant[] = [
  {
    name: "H02: the query overrides what the sign-in page is made of",
    file: "src/show/pages.ts",
    find: "    methods: methodsOf(ctx),\n",
    replace: "    methods: methodsOf(ctx),\n    ...Object.fromEntries(query),\n",
    tests: SHOW,
  },
  {
    name: "H03: the error page knows whatever the query calls it",
    file: "src/show/pages.ts",
    find: 'const kind = status === undefined ? "Default" : error as ErrorPageKind;',
    replace: 'const kind = (error ?? "Default") as ErrorPageKind;',
    tests: SHOW,
  },
  {
    name: "V40: the address of the first request is everybody's",
    file: "src/show/per_origin.ts",
    find: "const { config, url: { origin } } = ctx;",
    replace: 'const { config } = ctx;\n    const origin = "";',
    tests: SHOW,
  },
  {
    name: "G5: the list of providers tells all about them",
    file: "src/show/data.ts",
    find: "list[id] = Object.freeze({ id, name, type, signinUrl,",
    replace: "list[id] = Object.freeze({ ...ctx.config.providers.get(id), id, name, type, signinUrl,",
    tests: SHOW,
  },
  {
    name: "V60, V45: visitors share one answer, cookies included",
    file: "src/respond.ts",
    find: "return template.clone();",
    replace: "return template;",
    tests: ["tests/stories/session_test.ts", "tests/stories/requests_test.ts"],
  },
  {
    name: "V57: data may hold markup as it is",
    file: "src/respond.ts",
    find: ".replace(/[<>&\\u2028\\u2029]/g, (char) => UNSAFE[char] ?? char);",
    replace: ";",
    tests: SHOW,
  },
  {
    name: "V60: visitors of one kind of page see each other's entries",
    file: "src/pages/render.tsx",
    find: "return { html: fill(template, entriesOf(page)), csp };",
    replace: "return { html: fill(template, (last ??= entriesOf(page))), csp };\n}\n\n" +
      "let last: ReturnType<typeof entriesOf> | undefined;\n\nfunction unused(): void {",
    tests: TEMPLATE,
  },
  {
    name: "V57: entries of a page are not escaped",
    file: "src/pages/template.ts",
    find: 'entry === null ? "" : escapeMarkup(entry)',
    replace: 'entry ?? ""',
    tests: INJECTION,
  },
  {
    name: "V57: quotes in entries of a page are not escaped",
    file: "src/pages/template.ts",
    find: 'return /["&<]/.test(text) ? text.replace(/["&<]/g,',
    replace: "return /[&<]/.test(text) ? text.replace(/[&<]/g,",
    tests: INJECTION,
  },
  {
    name: "V57: a page shows what the query calls the error",
    file: "src/pages/texts.ts",
    find: "return SIGN_IN_ERRORS.get(error) ?? GENERIC;",
    replace: "return SIGN_IN_ERRORS.get(error) ?? error;",
    tests: RENDER,
  },
  {
    name: "H03: the text of an error is looked up among inherited members",
    file: "src/pages/texts.ts",
    find: "return SIGN_IN_ERRORS.get(error) ?? GENERIC;",
    replace: "return (Object.fromEntries(SIGN_IN_ERRORS) as Record<string, string>)[error] ?? GENERIC;",
    tests: RENDER,
  },
  {
    name: "H28, V57: scripts may run on a page",
    file: "src/pages/csp.ts",
    find: ", \"connect-src 'self'\"] : []),",
    replace: ", \"connect-src 'self'\"] : [\"script-src 'unsafe-inline'\"]),",
    tests: CSP,
  },
  {
    name: "H28: a page loads what its policy does not name",
    file: "src/pages/csp.ts",
    find: "\"default-src 'none'\",",
    replace: "",
    tests: CSP,
  },
  {
    name: "OAU-10: a page can be put into frames",
    file: "src/pages/csp.ts",
    find: "\"frame-ancestors 'none'\",",
    replace: "",
    tests: CSP,
  },
  {
    name: "V57: a base changes where a page's addresses lead",
    file: "src/pages/csp.ts",
    find: "\"base-uri 'none'\",",
    replace: "",
    tests: CSP,
  },
  {
    name: "H28: a source may be any text of a policy",
    file: "src/pages/csp.ts",
    find: "...new Set(sources.filter(isSource))",
    replace: "...new Set(sources)",
    tests: CSP,
  },
  {
    name: "V57: a page links to an address of any scheme",
    file: "src/pages/urls.ts",
    find: 'return url?.protocol === "https:" || url?.protocol === "http:" ? value : "/";',
    replace: "return value;",
    tests: INJECTION,
  },
  {
    name: "H28: a logo may be loaded without encryption",
    file: "src/pages/urls.ts",
    find: 'if (url.protocol !== "https:" || ',
    replace: "if (",
    tests: BRAND,
  },
  {
    name: "H28: a logo may be a page in a data: URL",
    file: "src/pages/urls.ts",
    find: 'return url.pathname.startsWith("image/") ? {',
    replace: 'return url.pathname !== "" ? {',
    tests: BRAND,
  },
  {
    name: "V03: a logo's path of two slashes names another host",
    file: "src/pages/urls.ts",
    find: ' || url.pathname.startsWith("//")) return undefined;',
    replace: ") return undefined;",
    tests: BRAND,
  },
  {
    name: "V76: whatever is given as a colour is written into the style",
    file: "src/pages/brand.ts",
    find: "return isColor(value) ? value : undefined;",
    replace: "return value;",
    tests: BRAND,
  },
  {
    name: "V57: a field may have attributes that run something",
    file: "src/pages/fields.tsx",
    find: ' && !attribute.startsWith("on")',
    replace: "",
    tests: FIELDS,
  },
  {
    name: "V57: a field may have attributes that lead elsewhere",
    file: "src/pages/fields.tsx",
    find: " && !REFUSED.has(attribute);",
    replace: ";",
    tests: FIELDS,
  },
  {
    name: "H02: a field of the configuration stands for the token",
    file: "src/pages/fields.tsx",
    find: ".filter(([key]) => !taken.has(key));",
    replace: ";",
    tests: FIELDS,
  },
  {
    name: "V57: a field may hold an element in place of a value",
    file: "src/pages/fields.tsx",
    find: "if (!isSafe(attribute) || !isPlain(value)) return [];",
    replace: "if (!isSafe(attribute)) return [];",
    tests: FIELDS,
  },
  {
    name: "XSS-3: a page with passkeys allows scripts by no hash",
    file: "src/pages/csp.ts",
    find: 'directive("script-src", scripts), "connect-src',
    replace: '"script-src \'unsafe-inline\'", "connect-src',
    tests: CSP,
  },
  {
    name: "XSS-3: a page without passkeys may ask its site, too",
    file: "src/pages/csp.ts",
    find: ", \"connect-src 'self'\"] : []),",
    replace: "] : []),\n    \"connect-src 'self'\",",
    tests: CSP,
  },
  {
    name: "XSS-3: the script that is sent is not the one that is written",
    file: "src/pages/passkey_script.ts",
    find: "if (self.PublicKeyCredential)",
    replace: "if (navigator)",
    tests: SCRIPT,
  },
  {
    name: "V60: visitors of one service under two addresses are sent to one of them for passkeys",
    file: "src/pages/entries.ts",
    find: "[method.action, method.optionsUrl]",
    replace: "[method.action]",
    tests: TEMPLATE,
  },
  {
    name: "XSS-1: a script is told to ask wherever a text leads",
    file: "src/pages/passkey.tsx",
    find: "webUrl(method.optionsUrl)",
    replace: "method.optionsUrl",
    tests: TEMPLATE,
  },
  {
    name: "XSS-3: a field of the configuration takes the place of one that the script fills in",
    file: "src/pages/fields.tsx",
    find: "isPasskey ? PASSKEY_STATE : FORM_STATE",
    replace: "FORM_STATE",
    tests: RENDER,
  },
];
