import type { Program } from '../syntax/ast.js';
import { typeNames } from '../syntax/names.js';
import type { Token } from '../syntax/lexing/tokens.js';

/** Offsets in a text that distinguish signs that look alike. */
interface Marks {
  /** Where operators between two values begin. */
  readonly infix: Set<number>;
  /**
   * Where signs before one value begin. Includes literals, because the smallest integer contains
   * its sign.
   */
  readonly prefix: Set<number>;
  /** Where the name that is called, or the value that is indexed, ends. */
  readonly glued: Set<number>;
  /** Where names end whose `=` has blanks around it; the `=` of an option has none. */
  readonly named: Set<number>;
  /** Where colons without a blank after them begin, or where the names before such colons end. */
  readonly tight: Set<number>;
}

type Node = Readonly<Record<string, unknown>> & { readonly span?: { readonly start: number; readonly end: number } };

/**
 * Decides for every token of a text whether it has a blank before it on its line. The tree
 * distinguishes a minus from a dash in a name, and the name of a column from an option; where it
 * does not cover a dash or star, the blank of the source is retained.
 */
export function spacingOf(program: Program, tokens: readonly Token[]): (index: number) => boolean {
  const marks: Marks = { infix: new Set(), prefix: new Set(), glued: new Set(), named: new Set(), tight: new Set() };
  mark(program as unknown as Node, marks);
  const bodies = bodiesOf(tokens);
  return (index) => index > 0 && isSpaced(tokens, index, marks, bodies);
}

function mark(node: Node, marks: Marks, within = ''): void {
  const { kind, op } = node;
  const part = (key: string): Node['span'] => (node[key] as Node | undefined)?.span;
  const ends = (set: Set<number>, ...keys: readonly string[]): void => {
    for (const key of keys) if (part(key) !== undefined) set.add(part(key)!.end);
  };
  const sign = node['opSpan'] as Node['span'];
  if (sign !== undefined) (op === 'term' ? marks.tight : marks.infix).add(sign.start);
  if ((kind === 'unary' && op !== 'not') || kind === 'literal') marks.prefix.add(node.span!.start);
  if (kind === 'index' || kind === 'spread') ends(marks.glued, 'object');
  ends(marks.glued, 'callee', 'plugin');
  if (kind === 'capture') ends(marks.tight, 'name');
  else if (within !== 'options') ends(marks.named, 'name', 'to');
  for (const [key, value] of Object.entries(node))
    if (typeof value === 'object' && value !== null) mark(value as Node, marks, Array.isArray(node) ? within : key);
}

/** Words with no blank before their bracket, although the tree records no callee for them. */
const CALL_WORDS: ReadonlySet<string> = new Set([...typeNames.keys(), 'dynamic', 'typeof', 'table']);

function isSpaced(tokens: readonly Token[], index: number, marks: Marks, bodies: ReadonlySet<number>): boolean {
  const left = tokens[index - 1]!;
  const right = tokens[index]!;
  if (right.text === ',' || right.text === ';') return false;
  if (bodies.has(index - 1) || bodies.has(index) || left.text === ',') return true;
  if (marks.infix.has(left.start) || marks.infix.has(right.start)) return true;
  if (isSign(left, '([{') || isSign(right, ')]}')) return false;
  if (left.text === '.' || right.text === '.') return false;
  if (left.text === '=') return isNaming(tokens, index - 1, marks);
  if (right.text === '=') return isNaming(tokens, index, marks);
  if (right.text === ':') return false;
  if (left.text === ':') return !marks.tight.has(left.start) && !marks.tight.has(tokens[index - 2]?.end ?? -1);
  if (isSign(left, '+-') && marks.prefix.has(left.start)) return false;
  if (isSign(right, '([') && marks.glued.has(left.end)) return false;
  if (right.text === '(' && left.kind === 'word') return !CALL_WORDS.has(left.text);
  // Within patterns of names and their orders: `geo*`, `granny-asc`.
  if (isSign(left, '-*') || isSign(right, '-*')) return left.end < right.start;
  return true;
}

const isSign = ({ kind, text }: Token, signs: string): boolean =>
  kind === 'punctuation' && text.length === 1 && signs.includes(text);

/** Whether `=` gives a name a value, including the default after the type of a parameter. */
const isNaming = (tokens: readonly Token[], equals: number, { named }: Marks): boolean =>
  named.has(tokens[equals - 1]?.end ?? -1) || tokens[equals - 2]?.text === ':';

/**
 * Indexes of the braces around function bodies. Unlike those of objects, they follow a closing
 * bracket.
 */
function bodiesOf(tokens: readonly Token[]): ReadonlySet<number> {
  const bodies = new Set<number>();
  const open: { readonly at: number; readonly isBody: boolean }[] = [];
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== 'punctuation') continue;
    if (text === '{') open.push({ at: index, isBody: tokens[index - 1]?.text === ')' });
    if (text !== '}') continue;
    const opened = open.pop();
    if (opened?.isBody === true) bodies.add(opened.at).add(index);
  }
  return bodies;
}
