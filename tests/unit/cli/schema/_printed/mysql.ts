import {
  bigint,
  boolean,
  datetime,
  index,
  longtext,
  mediumtext,
  mysqlTable,
  primaryKey,
  uniqueIndex,
  varchar,
} from "drizzle-orm/mysql-core";

export const users = mysqlTable("user", {
  id: varchar("id", { length: 320 }).primaryKey().$defaultFn(() => crypto.randomUUID()),
  name: mediumtext("name"),
  email: varchar("email", { length: 320 }),
  emailVerified: datetime("emailVerified", { mode: "date", fsp: 3 }),
  image: mediumtext("image"),
  extra: longtext("extra"),
}, (table) => [
  uniqueIndex("user_email_unique").on(table.email),
]);

export const accounts = mysqlTable("account", {
  userId: varchar("userId", { length: 320 }).notNull().references(() => users.id, { onDelete: "cascade" }),
  type: mediumtext("type").notNull(),
  provider: varchar("provider", { length: 256 }).notNull(),
  providerAccountId: varchar("providerAccountId", { length: 512 }).notNull(),
  refresh_token: mediumtext("refresh_token"),
  access_token: mediumtext("access_token"),
  expires_at: bigint("expires_at", { mode: "number" }),
  token_type: mediumtext("token_type"),
  scope: mediumtext("scope"),
  id_token: mediumtext("id_token"),
  session_state: mediumtext("session_state"),
  extra: longtext("extra"),
}, (table) => [
  primaryKey({ columns: [table.provider, table.providerAccountId] }),
  index("account_userId_index").on(table.userId),
]);

export const sessions = mysqlTable("session", {
  sessionToken: varchar("sessionToken", { length: 512 }).primaryKey(),
  userId: varchar("userId", { length: 320 }).notNull().references(() => users.id, { onDelete: "cascade" }),
  expires: datetime("expires", { mode: "date", fsp: 3 }).notNull(),
  provider: varchar("provider", { length: 256 }),
  providerSid: varchar("providerSid", { length: 512 }),
  extra: longtext("extra"),
}, (table) => [
  index("session_userId_index").on(table.userId),
  index("session_expires_index").on(table.expires),
  index("session_providerSid_index").on(table.provider, table.providerSid),
]);

export const verificationTokens = mysqlTable("verificationToken", {
  identifier: varchar("identifier", { length: 512 }).notNull(),
  token: varchar("token", { length: 256 }).notNull(),
  expires: datetime("expires", { mode: "date", fsp: 3 }).notNull(),
  extra: longtext("extra"),
}, (table) => [
  primaryKey({ columns: [table.identifier, table.token] }),
  index("verificationToken_expires_index").on(table.expires),
]);

export const authenticators = mysqlTable("authenticator", {
  credentialID: varchar("credentialID", { length: 768 }).primaryKey(),
  userId: varchar("userId", { length: 320 }).notNull().references(() => users.id, { onDelete: "cascade" }),
  providerAccountId: mediumtext("providerAccountId").notNull(),
  credentialPublicKey: mediumtext("credentialPublicKey").notNull(),
  counter: bigint("counter", { mode: "number" }).notNull(),
  credentialDeviceType: mediumtext("credentialDeviceType").notNull(),
  credentialBackedUp: boolean("credentialBackedUp").notNull(),
  transports: mediumtext("transports"),
  extra: longtext("extra"),
}, (table) => [
  index("authenticator_userId_index").on(table.userId),
]);

export const onceMarks = mysqlTable("onceMark", {
  key: varchar("key", { length: 768 }).primaryKey(),
  expires: datetime("expires", { mode: "date", fsp: 3 }).notNull(),
}, (table) => [
  index("onceMark_expires_index").on(table.expires),
]);

export const records = mysqlTable("authRecord", {
  kind: varchar("kind", { length: 64 }).notNull(),
  id: varchar("id", { length: 320 }).notNull(),
  userId: varchar("userId", { length: 320 }).references(() => users.id, { onDelete: "cascade" }),
  group: varchar("group", { length: 320 }),
  version: bigint("version", { mode: "number" }).notNull(),
  expires: datetime("expires", { mode: "date", fsp: 3 }),
  data: longtext("data").notNull(),
}, (table) => [
  primaryKey({ columns: [table.kind, table.id] }),
  index("authRecord_expires_index").on(table.expires),
  index("authRecord_userId_index").on(table.userId, table.kind, table.id),
  index("authRecord_group_index").on(table.group, table.kind, table.id),
]);

export const buckets = mysqlTable("authBucket", {
  key: varchar("key", { length: 256 }).primaryKey(),
  expires: bigint("expires", { mode: "number" }).notNull(),
}, (table) => [
  index("authBucket_expires_index").on(table.expires),
]);
