/**
 * Files that programs of the guides read.
 *
 * @module
 */
import { writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { BETTER_AUTH_TABLES } from "../../tests/_support/better_auth_tables.ts";
import { makeCertificate } from "../../tests/_support/certificate.ts";

function pem(label: string, bytes: Uint8Array<ArrayBuffer>): string {
  return `-----BEGIN ${label}-----\n${bytes.toBase64().replace(/.{64}/g, "$&\n")}\n-----END ${label}-----\n`;
}

/** Makes files in a folder: `client.crt` and `client.key`, or `better-auth.db`. @throws {Error} for another name. */
export async function makeFiles(names: readonly string[], folder: string): Promise<void> {
  const certificate = await makeCertificate();
  for (const name of names) {
    const path = `${folder}/${name}`;
    if (name === "client.crt") writeFileSync(path, pem("CERTIFICATE", certificate.der));
    else if (name === "client.key") writeFileSync(path, pem("PRIVATE KEY", certificate.pkcs8));
    else if (name === "better-auth.db") {
      const database = new DatabaseSync(path);
      database.exec(BETTER_AUTH_TABLES);
      database.close();
    } else throw new Error(`There is no source for the file ${name}`);
  }
}
