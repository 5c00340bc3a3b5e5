/**
 * `Response` and `Headers` as a host may replace them: they work, but keep what they are given, share it, and write on
 * it. Who hands out anything that is remembered hands out one visitor's cookies to the next.
 */
const NativeResponse = globalThis.Response;
const NativeHeaders = globalThis.Headers;

/** What headers were made of, and are written to together with them. */
const origins = new WeakMap<Headers, HeadersInit>();

class SharingHeaders extends NativeHeaders {
  constructor(init?: HeadersInit) {
    super(init);
    if (init) origins.set(this, init);
  }

  override append(name: string, value: string): void {
    super.append(name, value);
    write(origins.get(this), name, value);
  }

  override set(name: string, value: string): void {
    super.set(name, value);
    write(origins.get(this), name, value);
  }
}

function write(given: HeadersInit | undefined, name: string, value: string): void {
  try {
    if (given instanceof NativeHeaders) given.append(name, value);
    else if (Array.isArray(given)) given.push([name, value]);
    else if (given) given[name] = value;
  } catch {
    // What is frozen cannot be shared, and headers of an answer from the network cannot be written.
  }
}

/** The headers of a response: the very ones it was given, and those of whatever it was cloned from. */
const shared = new WeakMap<Response, Headers>();

class SharingResponse extends NativeResponse {
  constructor(body?: BodyInit | null, init: ResponseInit = {}) {
    super(body, init);
    const { headers } = init;
    if (headers) shared.set(this, headers instanceof NativeHeaders ? headers : new SharingHeaders(headers));
    spoil(init);
  }

  override get headers(): Headers {
    return shared.get(this) ?? super.headers;
  }

  override clone(): Response {
    const copy = Object.setPrototypeOf(super.clone(), SharingResponse.prototype) as Response;
    shared.set(copy, this.headers);
    return copy;
  }
}

/** Leaves nothing of a list as it was. A `Headers` object is left whole: it is what the answer says from now on. */
function spoil(init: ResponseInit): void {
  const { headers } = init;
  if (!Array.isArray(headers)) return;
  try {
    for (const pair of headers) pair[1] = "spoiled";
    headers.push(["x-spoiled", "1"]);
  } catch {
    // It was frozen.
  }
}

/** Replaces both; the answer puts back what was there. */
export function installHostileGlobals(): () => void {
  const { Response, Headers } = globalThis;
  replace({ Response: SharingResponse, Headers: SharingHeaders });
  return () => replace({ Response, Headers });
}

function replace(values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}

/** Replaces `Response` by one that makes answers as they should be, but keeps every one of them. */
export function installKeepingResponse(): { readonly kept: readonly Response[]; readonly restore: () => void } {
  const kept: Response[] = [];
  const before = globalThis.Response;
  const keep = new Proxy(NativeResponse, {
    construct(target, args) {
      const made: Response = Reflect.construct(target, args);
      kept.push(made);
      return made;
    },
  });
  replace({ Response: keep });
  return { kept, restore: () => replace({ Response: before }) };
}

class EmptyingResponse extends SharingResponse {
  static override json(data: unknown, init?: ResponseInit): Response {
    const made = NativeResponse.json(data, init);
    empty(data);
    return made;
  }
}

/** Leaves nothing of a value as it was, once it is written. */
function empty(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const member of Object.values(value)) empty(member);
  if (Array.isArray(value)) value.length = 0;
  else for (const name of Object.keys(value)) Reflect.deleteProperty(value, name);
}

/** Replaces `Response` by one whose `json()` leaves nothing of what it was given; the answer puts back what was there. */
export function installEmptyingResponse(): () => void {
  const { Response } = globalThis;
  replace({ Response: EmptyingResponse });
  return () => replace({ Response });
}
