/** The stories of `tests/stories/foreign_adapters_test.ts` over adapters whose packages are heavy. */
import process from "node:process";
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import * as simpleWebAuthn from "simplewebauthn-9";
import { ADAPTER_FACTS, type AdapterFacts } from "../_support/adapter_facts.ts";
import { tellCodes, tellRaces } from "../_support/adapter_races.ts";
import { tellPasskeys, tellWays } from "../_support/adapter_ways.ts";
import { FOREIGN_ADAPTERS, type ForeignAdapter, type Opened, postgresFamily } from "../_support/foreign_adapters.ts";
import { findPostgres, type PostgresServer, skipsWithoutPostgres, startPostgres } from "../_support/postgres.ts";
import { openD1, openDynamo, openMongo, openPouch, openUpstash } from "./documents.ts";
import { openLibsql, openPglite, openServer } from "./drizzle.ts";
import { openMikroOrm, openSequelize, openTypeOrm } from "./mappers.ts";
import { openPrisma } from "./prisma.ts";

type Open = (url: string) => Opened | Promise<Opened>;
type Key = keyof typeof ADAPTER_FACTS;

const IN_PROCESS: Readonly<Partial<Record<Key, Open>>> = {
  d1: openD1,
  libsql: openLibsql,
  pglite: openPglite,
  dynamodb: openDynamo,
  mongodb: openMongo,
  pouchdb: openPouch,
  typeorm: openTypeOrm,
  upstash: openUpstash,
};

const ON_SERVER: Readonly<Partial<Record<Key, Open>>> = {
  drizzlePostgres: openServer,
  mikroOrm: openMikroOrm,
  prisma: openPrisma,
  sequelize: openSequelize,
};

function foreignOf([key, open]: [string, Open], url: () => string): ForeignAdapter {
  const facts: AdapterFacts = ADAPTER_FACTS[key as Key];
  return { name: `${facts.name} on ${facts.over}`, facts, promises: {}, fails: [], open: () => open(url()) };
}

const bin = findPostgres();
const skip = skipsWithoutPostgres(bin, "The stories of the adapters on a server");
let server: PostgresServer;
const url = () => server.url;

const inProcess = [...Object.entries(IN_PROCESS).map((entry) => foreignOf(entry, url)), ...FOREIGN_ADAPTERS];
const onServer = [...Object.entries(ON_SERVER).map((entry) => foreignOf(entry, url)), postgresFamily(url)];

/** Part of a name, to run some. */
const only = process.env.ADAPTERS ?? "";
const isWanted = ({ name }: ForeignAdapter): boolean => name.includes(only);
const wanted = (skip ? inProcess : [...inProcess, ...onServer]).filter(isWanted);

test("every adapter of the table is told of", { skip: skip || only !== "" }, () => {
  const told = new Set(wanted.map(({ facts: { name, over } }) => `${name} on ${over}`));
  assert.deepEqual(
    [...told].toSorted(),
    Object.values(ADAPTER_FACTS).map(({ name, over }) => `${name} on ${over}`).toSorted(),
  );
});

describe("adapters of Auth.js", () => {
  before(async () => {
    if (!skip) server = await startPostgres(bin);
  });
  after(async () => await server?.stop());
  for (const foreign of wanted) {
    tellWays(foreign);
    tellRaces(foreign);
    tellCodes(foreign);
  }
  // From the first passkey on, Auth.js demands of every adapter that it keeps passkeys.
  for (const foreign of wanted) tellPasskeys(foreign, simpleWebAuthn);
});
