/** An item of an object or array, verbatim. */
export interface JsonPart {
  /** White space before it. */
  readonly lead: string;
  /** In an object: the name with its colon and the white space around it. */
  readonly key: string;
  /** The name; empty in an array. */
  readonly name: string;
  readonly value: string;
  /** White space after it. */
  readonly trail: string;
}

const SIGN = /["[\]{},]/g;

/** Lossless items of a valid JSON object or array: brackets and commas join them again. */
export function jsonParts(text: string): readonly JsonPart[] {
  const isObject = text.trimStart().startsWith('{');
  const parts: JsonPart[] = [];
  let [depth, begin] = [0, 0];
  SIGN.lastIndex = 0;
  for (let found = SIGN.exec(text); found !== null; found = SIGN.exec(text)) {
    const { 0: sign, index } = found;
    if (sign === '"') SIGN.lastIndex = endOfString(text, index);
    else if (sign === '{' || sign === '[') {
      if (++depth === 1) begin = index + 1;
    } else if (sign === ',') {
      if (depth > 1) continue;
      parts.push(partOf(text.slice(begin, index), isObject));
      begin = index + 1;
    } else if (--depth === 0) {
      const rest = text.slice(begin, index);
      // An empty one has no items.
      if (parts.length > 0 || rest.trim() !== '') parts.push(partOf(rest, isObject));
    }
  }
  return parts;
}

/** Position after the closing quote of a string. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); ; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text[quote - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return quote + 1;
  }
}

function partOf(text: string, isMember: boolean): JsonPart {
  const trimmed = text.trimEnd();
  const start = trimmed.length - trimmed.trimStart().length;
  const nameEnd = isMember ? endOfString(trimmed, start) : start;
  const colon = isMember ? trimmed.indexOf(':', nameEnd) + 1 : start;
  const from = trimmed.length - trimmed.slice(colon).trimStart().length;
  return {
    lead: trimmed.slice(0, start),
    key: trimmed.slice(start, from),
    name: isMember ? (JSON.parse(trimmed.slice(start, nameEnd)) as string) : '',
    value: trimmed.slice(from),
    trail: text.slice(trimmed.length),
  };
}
