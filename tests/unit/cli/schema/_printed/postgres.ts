import {
  bigint,
  boolean,
  index,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from "drizzle-orm/pg-core";

export const users = pgTable("user", {
  id: text("id").primaryKey().$defaultFn(() => crypto.randomUUID()),
  name: text("name"),
  email: text("email"),
  emailVerified: timestamp("emailVerified", { mode: "date", withTimezone: true }),
  image: text("image"),
  extra: jsonb("extra"),
}, (table) => [
  uniqueIndex("user_email_unique").on(table.email),
]);

export const accounts = pgTable("account", {
  userId: text("userId").notNull().references(() => users.id, { onDelete: "cascade" }),
  type: text("type").notNull(),
  provider: text("provider").notNull(),
  providerAccountId: text("providerAccountId").notNull(),
  refresh_token: text("refresh_token"),
  access_token: text("access_token"),
  expires_at: bigint("expires_at", { mode: "number" }),
  token_type: text("token_type"),
  scope: text("scope"),
  id_token: text("id_token"),
  session_state: text("session_state"),
  extra: jsonb("extra"),
}, (table) => [
  primaryKey({ columns: [table.provider, table.providerAccountId] }),
  index("account_userId_index").on(table.userId),
]);

export const sessions = pgTable("session", {
  sessionToken: text("sessionToken").primaryKey(),
  userId: text("userId").notNull().references(() => users.id, { onDelete: "cascade" }),
  expires: timestamp("expires", { mode: "date", withTimezone: true }).notNull(),
  provider: text("provider"),
  providerSid: text("providerSid"),
  extra: jsonb("extra"),
}, (table) => [
  index("session_userId_index").on(table.userId),
  index("session_expires_index").on(table.expires),
  index("session_providerSid_index").on(table.provider, table.providerSid),
]);

export const verificationTokens = pgTable("verificationToken", {
  identifier: text("identifier").notNull(),
  token: text("token").notNull(),
  expires: timestamp("expires", { mode: "date", withTimezone: true }).notNull(),
  extra: jsonb("extra"),
}, (table) => [
  primaryKey({ columns: [table.identifier, table.token] }),
  index("verificationToken_expires_index").on(table.expires),
]);

export const authenticators = pgTable("authenticator", {
  credentialID: text("credentialID").primaryKey(),
  userId: text("userId").notNull().references(() => users.id, { onDelete: "cascade" }),
  providerAccountId: text("providerAccountId").notNull(),
  credentialPublicKey: text("credentialPublicKey").notNull(),
  counter: bigint("counter", { mode: "number" }).notNull(),
  credentialDeviceType: text("credentialDeviceType").notNull(),
  credentialBackedUp: boolean("credentialBackedUp").notNull(),
  transports: text("transports"),
  extra: jsonb("extra"),
}, (table) => [
  index("authenticator_userId_index").on(table.userId),
]);

export const onceMarks = pgTable("onceMark", {
  key: text("key").primaryKey(),
  expires: timestamp("expires", { mode: "date", withTimezone: true }).notNull(),
}, (table) => [
  index("onceMark_expires_index").on(table.expires),
]);

// After the table is made, run: alter table "authRecord" alter column "id" type text collate "C"
export const records = pgTable("authRecord", {
  kind: text("kind").notNull(),
  id: text("id").notNull(),
  userId: text("userId").references(() => users.id, { onDelete: "cascade" }),
  group: text("group"),
  version: bigint("version", { mode: "number" }).notNull(),
  expires: timestamp("expires", { mode: "date", withTimezone: true }),
  data: json("data").notNull(),
}, (table) => [
  primaryKey({ columns: [table.kind, table.id] }),
  index("authRecord_expires_index").on(table.expires),
  index("authRecord_userId_index").on(table.userId, table.kind, table.id),
  index("authRecord_group_index").on(table.group, table.kind, table.id),
]);

export const buckets = pgTable("authBucket", {
  key: text("key").primaryKey(),
  expires: bigint("expires", { mode: "number" }).notNull(),
}, (table) => [
  index("authBucket_expires_index").on(table.expires),
]);
