/** Splits JSON without converting it: integers above 2^53 and the digits of floats stay exact. */

const space = /[\s]*/y;
const scalar = /[^\s,\]}]+/y;

/** Position of the next non-space character. */
function skip(text: string, at: number): number {
  space.lastIndex = at;
  space.test(text);
  return space.lastIndex;
}

const syntaxError = (text: string, at: number): SyntaxError =>
  new SyntaxError(`not JSON at character ${at}: ${JSON.stringify(text.slice(at, at + 20))}`);

function stringEnd(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return quote + 1;
  }
  throw syntaxError(text, at);
}

/** End of the value at `at`. */
function valueEnd(text: string, at: number): number {
  const first = text[at];
  if (first === '"') return stringEnd(text, at);
  if (first !== '{' && first !== '[') {
    scalar.lastIndex = at;
    if (!scalar.test(text)) throw syntaxError(text, at);
    return scalar.lastIndex;
  }
  const marks = /["[\]{}]/g;
  marks.lastIndex = at;
  let depth = 0;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === '"') marks.lastIndex = stringEnd(text, mark.index);
    else if (mark[0] === '{' || mark[0] === '[') depth++;
    else if (--depth === 0) return marks.lastIndex;
  }
  throw syntaxError(text, at);
}

/**
 * Texts of array elements.
 * @throws SyntaxError
 */
export function elementsOf(text: string): readonly string[] {
  let at = skip(text, 0);
  if (text[at] !== '[') throw syntaxError(text, at);
  const elements: string[] = [];
  at = skip(text, at + 1);
  while (text[at] !== ']') {
    const end = valueEnd(text, at);
    elements.push(text.slice(at, end));
    at = skip(text, end);
    if (text[at] === ',') at = skip(text, at + 1);
    else if (text[at] !== ']') throw syntaxError(text, at);
  }
  return elements;
}

/**
 * Texts of object properties by key.
 * @throws SyntaxError
 */
export function membersOf(text: string): ReadonlyMap<string, string> {
  let at = skip(text, 0);
  if (text[at] !== '{') throw syntaxError(text, at);
  const members = new Map<string, string>();
  at = skip(text, at + 1);
  while (text[at] !== '}') {
    if (text[at] !== '"') throw syntaxError(text, at);
    const keyEnd = stringEnd(text, at);
    const key = JSON.parse(text.slice(at, keyEnd)) as string;
    at = skip(text, keyEnd);
    if (text[at] !== ':') throw syntaxError(text, at);
    at = skip(text, at + 1);
    const end = valueEnd(text, at);
    members.set(key, text.slice(at, end));
    at = skip(text, end);
    if (text[at] === ',') at = skip(text, at + 1);
    else if (text[at] !== '}') throw syntaxError(text, at);
  }
  return members;
}
