/** JSON as a tree that keeps the spelling of numbers. */
export type JsonNode =
  | { readonly kind: 'scalar'; readonly text: string; readonly type: 'string' | 'number' | 'word' }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [name: string, value: JsonNode])[] };

const TOKEN = /\s*(?:([[\]{},:])|("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)|(true|false|null))/sy;

/** Undefined if the text is not JSON, or nested too deeply to display. */
export function parseJson(text: string): JsonNode | undefined {
  let at = 0;
  const next = (): RegExpExecArray | null => {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (found !== null) at = TOKEN.lastIndex;
    return found;
  };
  const peek = (): string | undefined => {
    const before = at;
    const found = next();
    at = before;
    return found?.[1];
  };
  const value = (depth: number): JsonNode | undefined => {
    if (depth > 200) return undefined;
    const [, sign, string, number, word] = next() ?? [];
    if (string !== undefined) return { kind: 'scalar', text: string, type: 'string' };
    if (number !== undefined) return { kind: 'scalar', text: number, type: 'number' };
    if (word !== undefined) return { kind: 'scalar', text: word, type: 'word' };
    if (sign === '[') return array(depth);
    return sign === '{' ? object(depth) : undefined;
  };
  const array = (depth: number): JsonNode | undefined => {
    const items: JsonNode[] = [];
    if (peek() === ']') {
      next();
      return { kind: 'array', items };
    }
    for (;;) {
      const item = value(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
      const sign = next()?.[1];
      if (sign === ']') return { kind: 'array', items };
      if (sign !== ',') return undefined;
    }
  };
  const object = (depth: number): JsonNode | undefined => {
    const members: (readonly [string, JsonNode])[] = [];
    if (peek() === '}') {
      next();
      return { kind: 'object', members };
    }
    for (;;) {
      const name = next()?.[2];
      if (name === undefined || next()?.[1] !== ':') return undefined;
      const item = value(depth + 1);
      if (item === undefined) return undefined;
      members.push([JSON.parse(name) as string, item]);
      const sign = next()?.[1];
      if (sign === '}') return { kind: 'object', members };
      if (sign !== ',') return undefined;
    }
  };
  const tree = value(0);
  return tree !== undefined && text.slice(at).trim() === '' ? tree : undefined;
}
