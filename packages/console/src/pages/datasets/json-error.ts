/** Locates JSON errors: not all browsers report the position. */

type ExpectedToken = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end' | 'nothing';

const TOKEN =
  /\s*(?:([[\]{},:])|("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?\b|true\b|false\b|null\b))/iuy;

interface JsonMistake {
  /** Offset in UTF-16 units. */
  readonly at: number;
  readonly wanted: string;
}

/** First error and what was expected; undefined if the text is one JSON value. */
export function jsonMistake(text: string): JsonMistake | undefined {
  const open: ('[' | '{')[] = [];
  let wanted: ExpectedToken = 'value';
  const after = (): ExpectedToken => (open.length === 0 ? 'nothing' : ', or end');
  let at = 0;
  for (;;) {
    TOKEN.lastIndex = at;
    const [all, sign, string] = TOKEN.exec(text) ?? [];
    const start = at + (/^\s*/.exec(text.slice(at)) ?? [''])[0].length;
    if (start === text.length && wanted === 'nothing') return undefined;
    const mistake = { at: start, wanted: wordsFor(wanted, open.at(-1)) };
    if (all === undefined) return mistake;
    at += all.length;
    const isValue = wanted === 'value' || wanted === 'value or ]';
    if (isValue && (sign === '[' || sign === '{')) {
      open.push(sign);
      wanted = sign === '[' ? 'value or ]' : 'name or }';
    } else if (isValue && sign === undefined) wanted = after();
    else if ((wanted === 'name' || wanted === 'name or }') && string !== undefined) wanted = ':';
    else if (wanted === ':' && sign === ':') wanted = 'value';
    else if (wanted === ', or end' && sign === ',') wanted = open.at(-1) === '[' ? 'value' : 'name';
    else if (closes(wanted, sign, open.at(-1))) {
      open.pop();
      wanted = after();
    } else return mistake;
  }
}

const closes = (wanted: ExpectedToken, sign: string | undefined, open: '[' | '{' | undefined): boolean =>
  (sign === ']' && open === '[' && (wanted === 'value or ]' || wanted === ', or end')) ||
  (sign === '}' && open === '{' && (wanted === 'name or }' || wanted === ', or end'));

function wordsFor(wanted: ExpectedToken, open: '[' | '{' | undefined): string {
  switch (wanted) {
    case 'value':
      return 'a value';
    case 'value or ]':
      return 'a value or ]';
    case 'name':
      return 'a name in quotes';
    case 'name or }':
      return 'a name in quotes or }';
    case ':':
      return 'a colon';
    case ', or end':
      return open === '[' ? 'a comma or ]' : 'a comma or }';
    case 'nothing':
      return 'nothing more';
  }
}
