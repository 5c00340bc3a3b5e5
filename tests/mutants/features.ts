import type { Mutant } from "./_mutant.ts";

const SECOND_PROOF = ["tests/security/second_proof_test.ts"];
const POINTS = ["tests/security/features_test.ts"];
const ASSURE = ["tests/unit/sign_in/assure_test.ts"];
const HELD = ["tests/unit/sign_in/held_test.ts"];

/** What features decide, and what they cannot be kept from deciding. */
export const features: readonly Mutant[] = [
  {
    name: "FEA-1: a user who is stored gets a session before the second proof",
    file: "src/sign_in/with_storage.ts",
    find: 'const judged = actsAt.has("mint") && !planned.keepsSession',
    replace: 'const judged = actsAt.has("page") && !actsAt.has("mint") && !planned.keepsSession',
    tests: SECOND_PROOF,
  },
  {
    name: "FEA-1: a user whom only a cookie knows gets a session before the second proof",
    file: "src/sign_in/complete.ts",
    find: 'if (ctx.config.actsAt.has("mint")) {',
    replace: "if (ctx.config.features.length < 0) {",
    tests: SECOND_PROOF,
  },
  {
    name: "FEA-1: a session that began elsewhere is not judged",
    file: "src/sign_in/judged_sessions.ts",
    find: "if (authentication.provider !== undefined) return true;",
    replace: "if (authentication.level < 2) return true;",
    tests: SECOND_PROOF,
  },
  {
    name: "FEA-1: no store judges what began elsewhere",
    file: "src/service/setup.ts",
    find: 'const isJudged = config.actsAt.has("mint") || config.actsAt.has("continues");',
    replace: 'const isJudged = config.actsAt.has("continues");',
    tests: SECOND_PROOF,
  },
  {
    name: "FEA-1: a session that began here is taken for one that began elsewhere",
    file: "src/session_stores/database_store.ts",
    find: ' || actsAt.has("mint") || actsAt.has("changed")',
    replace: "",
    tests: SECOND_PROOF,
  },
  {
    name: "FEA-2: a factor that the sign-in removes locks its owner out",
    file: "src/sign_in/held.ts",
    find: "evicts: plan.evict !== undefined",
    replace: "evicts: false",
    tests: SECOND_PROOF,
  },
  {
    name: "FEA-2: an account is linked before the second proof",
    file: "src/sign_in/held.ts",
    find: "...(updateUser && evict && { updateUser, evict }) };",
    replace: "...plan };",
    tests: [...HELD, ...SECOND_PROOF],
  },
  {
    name: "FEA-2: what waits goes on more than once",
    file: "src/sign_in/held.ts",
    find:
      "const expect = { ...plan.expect, records: [...plan.expect?.records ?? [], key] };\n  return { ...planned, plan: { ...plan, expect, records: { ...(put && { put }), remove: [...remove, key] } } };",
    replace:
      "return { ...planned, plan: { ...plan, records: { ...(put && { put }), remove: [...remove, { kind: key.kind, id: key.id }] } } };",
    tests: [...HELD, ...SECOND_PROOF],
  },
  {
    name: "FEA-2: what waits alone goes on more than once",
    file: "src/sign_in/held.ts",
    find: "if (resumed && !await records.removeRecord(resumed.key)) throw new AccessDenied(GONE);",
    replace: "if (resumed) await records.removeRecord(resumed.key);",
    tests: SECOND_PROOF,
  },
  {
    name: "FEA-2: what waits has no end where the clock of storage is late",
    file: "src/sign_in/pending.ts",
    find: "if (!record?.expires || record.expires.getTime() <= config.runtime.now()) return null;",
    replace: "if (!record) return null;",
    tests: SECOND_PROOF,
  },
  {
    name: "FEA-2: the proofs that were given before are forgotten",
    file: "src/sign_in/resume.ts",
    find: "[...found.methods, ...methods]",
    replace: "methods",
    tests: SECOND_PROOF,
  },
  {
    name: "FEA-3: a refusal is an answer among others",
    file: "src/sign_in/assure.ts",
    find: 'else if (answer.act !== "enter") throw new AccessDenied(answer.message, { logCode: "sign-in-denied" });',
    replace: "",
    tests: ASSURE,
  },
  {
    name: "FEA-3: an answer that is none lets somebody in",
    file: "src/sign_in/assure.ts",
    find: 'else if (answer.act !== "enter")',
    replace: 'else if (answer.act === "refuse")',
    tests: ASSURE,
  },
  {
    name: "FEA-3: an answer that is none lets a secret be compared",
    file: "src/request/points.ts",
    find: 'if (answer.act !== "compare") return null;',
    replace: 'if (answer.act === "refuse") return null;',
    tests: POINTS,
  },
  {
    name: "FEA-3: one feature that lets a session begin is enough",
    file: "src/sign_in/assure.ts",
    find: 'if (answer.act === "challenge") missing.push(answer.missing);',
    replace:
      'if (answer.act === "enter") return { act: "enter" };\n    if (answer.act === "challenge") missing.push(answer.missing);',
    tests: ASSURE,
  },
  {
    name: "FEA-3: a code is compared although a feature refuses",
    file: "src/email/code.ts",
    find: "if (!compared) throw",
    replace: "if (false) throw",
    tests: POINTS,
  },
  {
    name: "FEA-3: credentials are checked although a feature refuses",
    file: "src/credentials/sign_in.ts",
    find: "if (!compared) throw",
    replace: "if (false) throw",
    tests: POINTS,
  },
];
