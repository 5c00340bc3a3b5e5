/** Stores of documents and of keys: MongoDB, PouchDB, DynamoDB, Redis, and D1. */
import { DynamoDBAdapter } from "@auth/dynamodb-adapter";
import { D1Adapter, up } from "@auth/d1-adapter";
import { MongoDBAdapter } from "@auth/mongodb-adapter";
import { createIndexes, PouchDBAdapter } from "@auth/pouchdb-adapter";
import { UpstashRedisAdapter } from "@auth/upstash-redis-adapter";
import { CreateTableCommand, DeleteTableCommand, DescribeTableCommand, DynamoDB } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocument } from "@aws-sdk/lib-dynamodb";
import { Redis } from "@upstash/redis";
import dynalite from "dynalite";
import PouchDB from "pouchdb";
import memoryOfPouch from "pouchdb-adapter-memory";
import findOfPouch from "pouchdb-find";
import type { ConfiguredAdapter, Opened } from "../_support/foreign_adapters.ts";
import { d1Double } from "./d1_double.ts";
import { mongoDouble } from "./mongo_double.ts";
import { redisDouble } from "./redis_double.ts";

/** Opens MongoDB on a double. */
export function openMongo(): Opened {
  return { adapter: MongoDBAdapter(Promise.resolve(mongoDouble()) as never) as ConfiguredAdapter, close: () => {} };
}

PouchDB.plugin(memoryOfPouch);
PouchDB.plugin(findOfPouch);
let pouches = 0;

/** Opens PouchDB in memory. */
export async function openPouch(): Promise<Opened> {
  const pouchdb = new PouchDB(`auth-${++pouches}`, { adapter: "memory" });
  await createIndexes(pouchdb);
  return { adapter: PouchDBAdapter({ pouchdb }) as ConfiguredAdapter, close: () => pouchdb.destroy() };
}

/** Opens DynamoDB on dynalite. */
export async function openDynamo(): Promise<Opened> {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0 });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  const client = new DynamoDB({
    endpoint: `http://127.0.0.1:${port}`,
    region: "local",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  await client.send(new CreateTableCommand(DYNAMO_TABLE));
  // A new table answers only some time later.
  const isActive = async (): Promise<boolean> => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: DYNAMO_TABLE.TableName }));
    return Table?.TableStatus === "ACTIVE";
  };
  while (!await isActive()) await new Promise((resolve) => setTimeout(resolve, 1));
  const document = DynamoDBDocument.from(client, {
    marshallOptions: { convertEmptyValues: true, removeUndefinedValues: true, convertClassInstanceToMap: true },
  });
  return {
    adapter: DynamoDBAdapter(document) as ConfiguredAdapter,
    close: async () => {
      await client.send(new DeleteTableCommand({ TableName: "next-auth" }));
      client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const THROUGHPUT = { ReadCapacityUnits: 100, WriteCapacityUnits: 100 };

const DYNAMO_TABLE = {
  TableName: "next-auth",
  AttributeDefinitions: ["pk", "sk", "GSI1PK", "GSI1SK"].map((AttributeName) => {
    return { AttributeName, AttributeType: "S" as const };
  }),
  KeySchema: [{ AttributeName: "pk", KeyType: "HASH" as const }, { AttributeName: "sk", KeyType: "RANGE" as const }],
  GlobalSecondaryIndexes: [{
    IndexName: "GSI1",
    KeySchema: [
      { AttributeName: "GSI1PK", KeyType: "HASH" as const },
      { AttributeName: "GSI1SK", KeyType: "RANGE" as const },
    ],
    Projection: { ProjectionType: "ALL" as const },
    ProvisionedThroughput: THROUGHPUT,
  }],
  ProvisionedThroughput: THROUGHPUT,
};

/** Opens Upstash Redis on a double that speaks its protocol. */
export async function openUpstash(): Promise<Opened> {
  const { url, close } = await redisDouble();
  const client = new Redis({ url, token: "local", enableTelemetry: false });
  return { adapter: UpstashRedisAdapter(client) as ConfiguredAdapter, close };
}

/** Opens D1 on a double over SQLite. */
export async function openD1(): Promise<Opened> {
  const { database, close } = d1Double();
  await up(database as never);
  return { adapter: D1Adapter(database as never) as ConfiguredAdapter, close };
}
