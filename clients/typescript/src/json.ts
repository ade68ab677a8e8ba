// JSON as it is spelled: what a provider gets and gives must keep its bytes.

/** An object of which only the caller knows what it holds. */
export type JsonObject = { [member: string]: any };

const texts = new WeakMap<object, string>();

/** A JSON text that is put into a body as it is, such as the answer of a provider. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    JSON.parse(text);
    this.text = text.trim();
  }
}

/** The value of a text; an object remembers the text. */
export function parse(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (typeof value === "object" && value !== null) {
    texts.set(value, text);
  }
  return value;
}

/** The text of a value that may hold texts which are JSON already. */
export function dump(value: unknown): string {
  if (value instanceof RawJson) {
    return value.text;
  }
  if (Array.isArray(value)) {
    return "[" + value.map((item) => dump(item === undefined ? null : item)).join(",") + "]";
  }
  if (typeof value === "object" && value !== null && !("toJSON" in value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return "{" + members.map(([name, member]) => JSON.stringify(name) + ":" + dump(member)).join(",") + "}";
  }
  const text = JSON.stringify(value);
  if (text === undefined || (typeof value === "number" && !Number.isFinite(value))) {
    throw new TypeError(`${String(value)} is no JSON value`);
  }
  return text;
}

/** A member of an answer as the server spelled it: exact(built, "request") is what to send to the provider. */
export function exact(answer: object, name: string): string {
  const text = texts.get(answer);
  if (text === undefined) {
    throw new TypeError("this is no answer of the server");
  }
  let at = skip(text, 0) + 1;
  let found: string | undefined;
  for (at = skip(text, at); text[at] !== "}"; at = skip(text, at)) {
    if (text[at] === ",") {
      at = skip(text, at + 1);
    }
    const end = stringEnd(text, at);
    const key: unknown = JSON.parse(text.slice(at, end));
    const begin = skip(text, skip(text, end) + 1);
    at = valueEnd(text, begin);
    if (key === name) {
      found = text.slice(begin, at);
    }
  }
  if (found === undefined) {
    throw new RangeError(`the answer has no ${name}`);
  }
  return found;
}

function skip(text: string, from: number): number {
  let at = from;
  while (" \t\r\n".includes(text[at] ?? "x")) {
    at++;
  }
  return at;
}

/** Where a string ends that begins here. */
function stringEnd(text: string, from: number): number {
  let at = from + 1;
  while (text[at] !== '"') {
    at += text[at] === "\\" ? 2 : 1;
  }
  return at + 1;
}

/** Where a value ends that begins here; the text is known to be JSON. */
function valueEnd(text: string, from: number): number {
  let depth = 0;
  let at = from;
  do {
    const c = text[at] ?? "";
    if (c === '"') {
      at = stringEnd(text, at);
      continue;
    }
    if ("[{".includes(c)) {
      depth++;
    } else if ("]}".includes(c)) {
      depth--;
    } else if (depth === 0) {
      while (at < text.length && !",]} \t\r\n".includes(text[at] ?? "")) {
        at++;
      }
      return at;
    }
    at++;
  } while (depth > 0);
  return at;
}
