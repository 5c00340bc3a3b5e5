/**
 * A double of MongoDB for what its adapter asks: documents of equal members, and nothing else.
 *
 * @module
 */
import { ObjectId } from "mongodb";

type Document = Record<string, unknown>;

/** Makes a client of an empty database. A unique index on addresses, accounts and sessions is what its users make. */
export function mongoDouble() {
  const collections = new Map<string, Collection>();
  return {
    db: () => ({
      collection(name: string): Collection {
        const found = collections.get(name) ?? new Collection(UNIQUE[name] ?? []);
        collections.set(name, found);
        return found;
      },
    }),
  };
}

const UNIQUE: Readonly<Record<string, readonly (readonly string[])[]>> = {
  users: [["_id"], ["email"]],
  accounts: [["_id"], ["provider", "providerAccountId"]],
  sessions: [["_id"], ["sessionToken"]],
};

class Collection {
  #documents: Document[] = [];
  readonly #unique: readonly (readonly string[])[];

  constructor(unique: readonly (readonly string[])[]) {
    this.#unique = unique;
  }

  // deno-lint-ignore require-await
  async findOne(filter: Document): Promise<Document | null> {
    const found = this.#documents.find((document) => fits(document, filter));
    return found ? copy(found) : null;
  }

  // deno-lint-ignore require-await
  async insertOne(document: Document): Promise<object> {
    // The driver leaves out what is undefined only if it is told to; its default stores null.
    const stored = copy(document);
    for (const members of this.#unique) {
      const isTaken = members.every((member) => stored[member] !== undefined) &&
        this.#documents.some((other) => members.every((member) => isEqual(other[member], stored[member])));
      if (isTaken) throw Object.assign(new Error(`E11000 duplicate key: ${members}`), { code: 11000 });
    }
    this.#documents.push(stored);
    return { acknowledged: true };
  }

  // deno-lint-ignore require-await
  async findOneAndUpdate(filter: Document, { $set }: { $set: Document }): Promise<Document | null> {
    const found = this.#documents.find((document) => fits(document, filter));
    if (!found) return null;
    const { _id, ...changes } = copy($set);
    if (_id !== undefined && !isEqual(_id, found._id)) throw new Error("Performing an update on the path '_id'");
    return copy(Object.assign(found, changes));
  }

  // deno-lint-ignore require-await
  async findOneAndDelete(filter: Document): Promise<Document | null> {
    const found = this.#documents.find((document) => fits(document, filter));
    this.#documents = this.#documents.filter((document) => document !== found);
    return found ?? null;
  }

  // deno-lint-ignore require-await
  async deleteMany(filter: Document): Promise<object> {
    this.#documents = this.#documents.filter((document) => !fits(document, filter));
    return { acknowledged: true };
  }

  async deleteOne(filter: Document): Promise<object> {
    await this.findOneAndDelete(filter);
    return { acknowledged: true };
  }
}

function fits(document: Document, filter: Document): boolean {
  return Object.entries(filter).every(([name, value]) => isEqual(document[name], value));
}

function isEqual(one: unknown, other: unknown): boolean {
  return one instanceof ObjectId ? one.equals(other as ObjectId) : (one ?? null) === (other ?? null);
}

function copy(document: Document): Document {
  return Object.fromEntries(Object.entries(document).map(([name, value]) => [name, value ?? null]));
}
