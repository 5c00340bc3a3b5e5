/**
 * What an application does by itself in histories, for whoever it takes somebody for.
 *
 * @module
 */
import type { AdapterUser, CompleteAdapter } from "@x/auth";
import { type Act, personOf } from "./oracle_histories.ts";

export interface Around {
  readonly name: string;
  address(email: string): string;
  /** The id of a passkey, as it is stored. */
  credentialID(key: number): string;
  /** Who is inside, and the stamp of a sealed session. */
  sessionAt(browser: number): Promise<{ readonly id: string; readonly stamp?: unknown } | null>;
}

/** What it does in a history. */
export interface Application {
  /** Makes a password: for the user that a browser is inside of, else for a user of its own. */
  password(act: Extract<Act, { do: "password" }>): Promise<{ readonly id: string; readonly email?: string }>;
  unlink(act: Extract<Act, { do: "unlink" }>): Promise<void>;
  move(act: Extract<Act, { do: "move" }>): Promise<void>;
}

/** Opens the application around a service. */
export function applicationOf(adapter: CompleteAdapter, around: Around): Application {
  const { name, address, credentialID, sessionAt } = around;
  async function userAt(browser: number): Promise<AdapterUser | null> {
    const session = await sessionAt(browser);
    const user = session && await adapter.getUser(session.id);
    // A sealed session is from before the proof if its stamp is another.
    const isOver = session?.stamp !== undefined && session.stamp !== (user?.securityStamp ?? null);
    return isOver ? null : user;
  }
  return {
    async password({ browser, email }) {
      const user = await userAt(browser);
      const known = user ? user.email : address(email);
      return { id: user?.id ?? `${name}-${personOf(browser)}`, ...(known && { email: known }) };
    },
    async unlink({ browser, way }) {
      const user = await userAt(browser);
      const [provider = "", sub = ""] = typeof way === "string" ? way.split("/") : ["passkey"];
      const providerAccountId = typeof way === "string" ? `${name}-${sub}` : credentialID(way);
      const owner = await adapter.getUserByAccount({ provider, providerAccountId });
      if (!user || owner?.id !== user.id) return;
      await adapter.unlinkAccount({ provider, providerAccountId });
      if (typeof way === "number") await adapter.deleteAuthenticator(providerAccountId);
    },
    async move({ browser, email }) {
      const user = await userAt(browser);
      if (!user || await adapter.getUserByEmail(address(email))) return;
      await adapter.updateUser({ id: user.id, email: address(email), emailVerified: null });
    },
  };
}
