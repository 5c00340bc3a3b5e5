/** A form of a page. */
export interface Form {
  readonly method: string;
  readonly action: string;
  /** The values it is sent with unless somebody types: of its inputs and of its first named button. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Reads the forms of a page whose markup is well-behaved. */
export function readForms(html: string): readonly Form[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)].map(([, attributes = "", content = ""]) => {
    const { method = "get", action = "" } = readAttributes(attributes);
    const fields = [...content.matchAll(/<input\b([^>]*)>/gi)].map(([, text = ""]) => readAttributes(text));
    return {
      method: method.toUpperCase(),
      action,
      fields: Object.fromEntries(fields.flatMap(({ name, value = "" }) => name ? [[name, value]] : [])),
    };
  });
}

function readAttributes(text: string): Record<string, string | undefined> {
  const found = text.matchAll(/([\w-]+)(?:\s*=\s*"([^"]*)")?/g);
  return Object.fromEntries([...found].map(([, name = "", value = ""]) => [name.toLowerCase(), decode(value)]));
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

function decode(text: string): string {
  return text.replace(/&([a-z]+|#\d+);/g, (whole, name) => ENTITIES[name] ?? whole);
}
