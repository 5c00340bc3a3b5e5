import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const users = sqliteTable("user", {
  id: text("id").primaryKey().$defaultFn(() => crypto.randomUUID()),
  name: text("name"),
  email: text("email"),
  emailVerified: integer("emailVerified", { mode: "timestamp_ms" }),
  image: text("image"),
  extra: text("extra"),
}, (table) => [
  uniqueIndex("user_email_unique").on(table.email),
]);

export const accounts = sqliteTable("account", {
  userId: text("userId").notNull().references(() => users.id, { onDelete: "cascade" }),
  type: text("type").notNull(),
  provider: text("provider").notNull(),
  providerAccountId: text("providerAccountId").notNull(),
  refresh_token: text("refresh_token"),
  access_token: text("access_token"),
  expires_at: integer("expires_at"),
  token_type: text("token_type"),
  scope: text("scope"),
  id_token: text("id_token"),
  session_state: text("session_state"),
  extra: text("extra"),
}, (table) => [
  primaryKey({ columns: [table.provider, table.providerAccountId] }),
  index("account_userId_index").on(table.userId),
]);

export const sessions = sqliteTable("session", {
  sessionToken: text("sessionToken").primaryKey(),
  userId: text("userId").notNull().references(() => users.id, { onDelete: "cascade" }),
  expires: integer("expires", { mode: "timestamp_ms" }).notNull(),
  provider: text("provider"),
  providerSid: text("providerSid"),
  extra: text("extra"),
}, (table) => [
  index("session_userId_index").on(table.userId),
  index("session_expires_index").on(table.expires),
  index("session_provider_providerSid_index").on(table.provider, table.providerSid),
]);

export const verificationTokens = sqliteTable("verificationToken", {
  identifier: text("identifier").notNull(),
  token: text("token").notNull(),
  expires: integer("expires", { mode: "timestamp_ms" }).notNull(),
  extra: text("extra"),
}, (table) => [
  primaryKey({ columns: [table.identifier, table.token] }),
  index("verificationToken_expires_index").on(table.expires),
]);

export const authenticators = sqliteTable("authenticator", {
  credentialID: text("credentialID").primaryKey(),
  userId: text("userId").notNull().references(() => users.id, { onDelete: "cascade" }),
  providerAccountId: text("providerAccountId").notNull(),
  credentialPublicKey: text("credentialPublicKey").notNull(),
  counter: integer("counter").notNull(),
  credentialDeviceType: text("credentialDeviceType").notNull(),
  credentialBackedUp: integer("credentialBackedUp", { mode: "boolean" }).notNull(),
  transports: text("transports"),
  extra: text("extra"),
}, (table) => [
  index("authenticator_userId_index").on(table.userId),
]);

export const onceMarks = sqliteTable("onceMark", {
  key: text("key").primaryKey(),
  expires: integer("expires", { mode: "timestamp_ms" }).notNull(),
}, (table) => [
  index("onceMark_expires_index").on(table.expires),
]);

export const records = sqliteTable("authRecord", {
  kind: text("kind").notNull(),
  id: text("id").notNull(),
  userId: text("userId").references(() => users.id, { onDelete: "cascade" }),
  group: text("group"),
  version: integer("version").notNull(),
  expires: integer("expires", { mode: "timestamp_ms" }),
  data: text("data").notNull(),
}, (table) => [
  primaryKey({ columns: [table.kind, table.id] }),
  index("authRecord_expires_index").on(table.expires),
  index("authRecord_userId_kind_id_index").on(table.userId, table.kind, table.id),
  index("authRecord_group_kind_id_index").on(table.group, table.kind, table.id),
]);

export const buckets = sqliteTable("authBucket", {
  key: text("key").primaryKey(),
  expires: integer("expires").notNull(),
}, (table) => [
  index("authBucket_expires_index").on(table.expires),
]);
