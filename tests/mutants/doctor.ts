import type { Mutant } from "./_mutant.ts";

const ENDPOINT = ["tests/unit/service/doctor_endpoint_test.ts"];
const HOSTILE = ["tests/unit/cli/doctor/hostile_test.ts"];
const SESSION = ["tests/unit/cli/session/session_test.ts"];
const TEST_SESSION = ["tests/unit/cli/session/test_session_test.ts"];
const COMMAND = ["tests/unit/cli/doctor/command_test.ts"];

/** The command: `doctor` with what it gets from inside, `session` and `test-session`. */
export const doctor: readonly Mutant[] = [
  {
    name: "DOC-1: the endpoint of the doctor is there in production",
    file: "src/service/doctor_endpoint.ts",
    find: 'config.runtime.env("NODE_ENV") === "development"',
    replace: 'config.runtime.env("NODE_ENV") !== "test"',
    tests: ENDPOINT,
  },
  {
    name: "DOC-2: a host of the network may ask what is wrong inside",
    file: "src/service/doctor_endpoint.ts",
    find: "isLoopback(url.hostname) && isLoopback(new URL(incoming.url).hostname) &&",
    replace: "",
    tests: ENDPOINT,
  },
  {
    name: "DOC-3: a page in a browser may ask what is wrong inside",
    file: "src/service/doctor_endpoint.ts",
    find: "if (OF_OTHERS.some((name) => headers.has(name))) return false;",
    replace: "",
    tests: ENDPOINT,
  },
  {
    name: "DOC-4: a request through a tunnel may ask what is wrong inside",
    file: "src/service/doctor_endpoint.ts",
    find: "return ADDRESSES.every((name) => {",
    replace: "return [].every((name) => {",
    tests: ENDPOINT,
  },
  {
    name: "DOC-5: a code of the doctor can be used twice",
    file: "src/service/doctor_endpoint.ts",
    find: "code = null;",
    replace: "",
    tests: ENDPOINT,
  },
  {
    name: "DOC-6: a code of the doctor never ends",
    file: "src/service/doctor_endpoint.ts",
    find: "code !== null && code.until > now",
    replace: "code !== null",
    tests: ENDPOINT,
  },
  {
    name: "DOC-7: a site makes the doctor ask what only this machine reaches",
    file: "cli/doctor/start.ts",
    find: 'return to.protocol === "https:" && !isInner(to.hostname);',
    replace: "return /^https?:$/.test(to.protocol);",
    tests: HOSTILE,
  },
  {
    name: "DOC-8: a cookie travels to another host",
    file: "cli/doctor/walk.ts",
    find: "const cookies = jar.get(at.origin) ?? [];",
    replace: "const cookies = [...jar.values()].flat();",
    tests: HOSTILE,
  },
  {
    name: "DOC-9: the doctor reads a body to its end",
    file: "cli/doctor/ask.ts",
    find: "while (reader && bytes < MOST_BYTES) {",
    replace: "while (reader) {",
    tests: HOSTILE,
  },
  {
    name: "DOC-10: the code of a development server is sent to any site",
    file: "cli/doctor/observe.ts",
    find: 'if (!isLoopback(url.hostname)) return "refused";',
    replace: "",
    tests: HOSTILE,
  },
  {
    name: "DOC-11: the doctor prints what a terminal takes for orders",
    file: "cli/doctor/checks.ts",
    find: "return clean(text.length > 200 ? `${text.slice(0, 200)}…` : text);",
    replace: "return text;",
    tests: HOSTILE,
  },
  {
    name: "DOC-12: warnings end the command as if all were well",
    file: "cli/doctor/print.ts",
    find: 'return findings.some(({ level }) => level === "warning") ? EXIT_CODES.warnings : EXIT_CODES.sound;',
    replace: "return EXIT_CODES.sound;",
    tests: COMMAND,
  },
  {
    name: "DOC-13: a session cookie for tests is made in production",
    file: "cli/session/test_session.ts",
    find: 'names.includes("production") || !names.includes("test")',
    replace: '!names.includes("test")',
    tests: TEST_SESSION,
  },
  {
    name: "DOC-14: a session cookie for tests is made where nothing says that it is a test",
    file: "cli/session/test_session.ts",
    find: 'names.includes("production") || !names.includes("test")',
    replace: 'names.includes("production")',
    tests: TEST_SESSION,
  },
  {
    name: "DOC-15: a session cookie for tests is made for any site",
    file: "cli/session/test_session.ts",
    find: " && isLoopback(url.hostname)",
    replace: "",
    tests: TEST_SESSION,
  },
  {
    name: "DOC-16: a session that has expired is said to open",
    file: "cli/session/open.ts",
    find: 'typeof exp === "number" && exp > now - CLOCK_TOLERANCE',
    replace: 'typeof exp === "number"',
    tests: SESSION,
  },
  {
    name: "DOC-17: tokens in a session are printed",
    file: "cli/session/inspect.ts",
    find: "show ? claims : withoutTokens(claims)",
    replace: "claims",
    tests: SESSION,
  },
  {
    name: "DOC-18: claims of strangers write to the terminal as they like",
    file: "cli/terminal/visible.ts",
    find: "return text.replace(CONTROL,",
    replace: "return text.replace(/^$/,",
    tests: SESSION,
  },
  {
    name: "DOC-19: of two cookies of one name, one is believed",
    file: "cli/session/inspect.ts",
    find: "if (twins.length > 0) {",
    replace: "if (twins.length > 9) {",
    tests: SESSION,
  },
  {
    name: "DOC-20: what a secret cannot tell ends the command as if all were well",
    file: "cli/session/print.ts",
    find: "EXIT_CODES.warnings : EXIT_CODES.sound",
    replace: "EXIT_CODES.sound : EXIT_CODES.sound",
    tests: SESSION,
  },
];
