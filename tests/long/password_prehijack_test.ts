/** Every order of two people and one address, where passwords are one way in of several, in every storage. */
import { PLACES } from "../_support/password_places.ts";
import { testOrders } from "../security/_password_prehijack.ts";

/** Of how many orders one is played: servers and adapters of others take longer. */
const EVERY: Readonly<Record<string, number>> = { "memory": 1, "SQLite": 1, "Deno KV": 1 };

for (const place of PLACES) testOrders({ ...place, every: EVERY[place.name] ?? 5 });
