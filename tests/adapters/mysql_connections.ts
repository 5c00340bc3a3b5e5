/** Prisma as a connection to MariaDB: conformance, and what is particular to it. */
import { PrismaMariaDb } from "@prisma/adapter-mariadb";
import { conformOnMysql } from "../_support/mysql_connections.ts";
import { PrismaClient } from "./generated/mysql/client.ts";

conformOnMysql("The conformance of Prisma on MariaDB", {
  "Prisma": (uri) => {
    const source = prisma(uri, 8);
    return { source, end: () => source.$disconnect() };
  },
});

function prisma(uri: string, max: number): PrismaClient {
  return new PrismaClient({ adapter: new PrismaMariaDb(`${uri}?connectionLimit=${max}`) });
}
