/** The tables of Better Auth, as its own migration makes them, and rows as it writes them. */
import { Buffer } from "node:buffer";
import { createHmac, randomBytes, scryptSync } from "node:crypto";
import { DatabaseSync } from "node:sqlite";

export const OTHER_SECRET = "the secret of Better Auth, longer than 32 characters";

/** Tables with the columns of its plugins for passkeys, administrators and a second factor. */
export const BETTER_AUTH_TABLES = `
  create table "user" ("id" text not null primary key, "name" text not null, "email" text not null unique,
    "emailVerified" integer not null, "image" text, "createdAt" date not null, "updatedAt" date not null,
    "twoFactorEnabled" integer, "role" text, "banned" integer, "banReason" text, "banExpires" date);
  create table "session" ("id" text not null primary key, "expiresAt" date not null, "token" text not null unique,
    "createdAt" date not null, "updatedAt" date not null, "ipAddress" text, "userAgent" text,
    "userId" text not null references "user" ("id") on delete cascade, "impersonatedBy" text);
  create table "account" ("id" text not null primary key, "accountId" text not null, "providerId" text not null,
    "userId" text not null references "user" ("id") on delete cascade, "accessToken" text, "refreshToken" text,
    "idToken" text, "accessTokenExpiresAt" date, "refreshTokenExpiresAt" date, "scope" text, "password" text,
    "createdAt" date not null, "updatedAt" date not null);
  create table "passkey" ("id" text not null primary key, "name" text, "publicKey" text not null,
    "userId" text not null references "user" ("id") on delete cascade, "credentialID" text not null,
    "counter" integer not null, "deviceType" text not null, "backedUp" integer not null, "transports" text,
    "createdAt" date, "aaguid" text);
`;

type Row = Readonly<Record<string, string | number | null>>;

const HOUR = 60 * 60 * 1000;

/** A database of Better Auth in memory. */
export class BetterAuthTables {
  readonly database = new DatabaseSync(":memory:");
  #rows = 0;

  constructor(tables: string = BETTER_AUTH_TABLES) {
    this.database.exec(tables);
  }

  insert(table: string, row: Row): void {
    const names = Object.keys(row).map((name) => `"${name}"`);
    const sql = `insert into "${table}" (${names.join()}) values (${names.map(() => "?").join()})`;
    this.database.prepare(sql).run(...Object.values(row));
  }

  rows(table: string): Record<string, unknown>[] {
    return this.database.prepare(`select * from "${table}"`).all();
  }

  addUser(id: string, changes: Row = {}): void {
    const email = `${id}@example.com`;
    this.insert("user", { id, name: `The user ${id}`, email, emailVerified: 1, ...this.#times(), ...changes });
  }

  addAccount(userId: string, changes: Row = {}): void {
    const account = { id: `a${++this.#rows}`, accountId: `${userId}-there`, providerId: "mock", userId };
    this.insert("account", { ...account, ...this.#times(), ...changes });
  }

  addPassword(userId: string, password: string): void {
    this.addAccount(userId, { accountId: userId, providerId: "credential", password: hashPassword(password) });
  }

  /** Adds a session. Returns the value of the cookie. */
  addSession(userId: string, changes: Row = {}, secret = OTHER_SECRET): string {
    const token = randomBytes(24).toString("hex");
    const expiresAt = new Date(Date.now() + HOUR).toISOString();
    this.insert("session", { id: `s${++this.#rows}`, expiresAt, token, userId, ...this.#times(), ...changes });
    return `${token}.${createHmac("sha256", secret).update(token).digest("base64")}`;
  }

  addPasskey(userId: string): void {
    const credential = { credentialID: "AAAA", publicKey: "AAAA", counter: 0, deviceType: "singleDevice", backedUp: 0 };
    this.insert("passkey", { id: `p${++this.#rows}`, name: null, userId, transports: null, ...credential });
  }

  #times(): Row {
    const time = new Date(Date.now() - HOUR).toISOString();
    return { createdAt: time, updatedAt: time };
  }
}

export function hashPassword(password: string): string {
  const salt = randomBytes(16).toString("hex");
  const options = { N: 16384, r: 16, p: 1, maxmem: 128 * 16384 * 16 * 2 };
  return `${salt}:${Buffer.from(scryptSync(password.normalize("NFKC"), salt, 64, options)).toString("hex")}`;
}
