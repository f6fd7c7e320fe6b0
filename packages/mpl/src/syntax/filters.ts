import { comparisons, type Filter, type FilterStep, type TagType, tagTypes } from './ast.js';
import type { Cursor } from './cursor.js';
import { parseValue } from './values.js';

/** Deeper conditions are rejected, because reading them recurses. */
const deepest = 100;

/** @throws SyntaxProblem */
export function parseFilterStep(cursor: Cursor): FilterStep {
  const start = cursor.next.span.start;
  if (cursor.has('ifdef')) {
    cursor.expect('(', 'after ifdef');
    const param = cursor.takeKind('param') ?? cursor.refuse('expected a parameter such as $host');
    cursor.expect(')', 'after the parameter');
    const whenGiven = parseBlock(cursor);
    const otherwise = cursor.has('else') ? parseBlock(cursor) : undefined;
    const name = { text: param.name, span: param.span };
    const span = cursor.spanFrom(start);
    return { kind: 'ifdef', param: name, whenGiven, ...(otherwise && { otherwise }), span };
  }
  const word = cursor.take().text === 'filter' ? 'filter' : 'where';
  const filter = parseOr(cursor, 0);
  return { kind: 'where', word, filter, span: cursor.spanFrom(start) };
}

function parseBlock(cursor: Cursor): Filter {
  cursor.expect('{', 'before the condition');
  if (!cursor.has('where')) cursor.expect('filter', 'in the block');
  const filter = parseOr(cursor, 0);
  cursor.expect('}', 'after the condition');
  return filter;
}

function parseOr(cursor: Cursor, depth: number): Filter {
  if (depth > deepest) cursor.refuse(`expected at most ${deepest} nested conditions`);
  return parseChain(cursor, 'or', () => parseChain(cursor, 'and', () => parseNot(cursor, depth)));
}

function parseChain(cursor: Cursor, word: 'and' | 'or', parse: () => Filter): Filter {
  const start = cursor.next.span.start;
  const parts = [parse()];
  while (cursor.has(word)) parts.push(parse());
  return parts.length === 1 ? parts[0]! : { kind: word, parts, span: cursor.spanFrom(start) };
}

function parseNot(cursor: Cursor, depth: number): Filter {
  const start = cursor.next.span.start;
  let negations = 0;
  while (cursor.has('not')) negations++;
  const of = parseOperand(cursor, depth);
  return negations % 2 === 0 ? of : { kind: 'not', of, span: cursor.spanFrom(start) };
}

function parseOperand(cursor: Cursor, depth: number): Filter {
  if (!cursor.has('(')) return parseTest(cursor);
  const inner = parseOr(cursor, depth + 1);
  cursor.expect(')', 'after the condition');
  return inner;
}

function parseTest(cursor: Cursor): Filter {
  const start = cursor.next.span.start;
  const tag = cursor.name('the name of a tag');
  if (cursor.has('is')) {
    const { text } = cursor.next;
    const type = tagTypes.find((each): each is TagType => each === text);
    if (type === undefined) return cursor.refuse(`expected a type: ${tagTypes.join(', ')}`);
    cursor.take();
    return { kind: 'is', tag, type, span: cursor.spanFrom(start) };
  }
  for (const kind of ['in', 'contains'] as const)
    if (cursor.has(kind)) return { kind, tag, value: parseValue(cursor), span: cursor.spanFrom(start) };
  if (cursor.is('=')) {
    const { span } = cursor.next;
    cursor.sink.error(span, "'=' does not compare; write '=='", { title: "Write '=='", replacement: '==' });
    cursor.take();
    return { kind: 'compare', tag, op: '==', value: parseValue(cursor), span: cursor.spanFrom(start) };
  }
  const op = comparisons.find((one) => cursor.has(one));
  if (op === undefined) return cursor.refuse(`expected a comparison after the tag '${tag.text}'`);
  return { kind: 'compare', tag, op, value: parseValue(cursor), span: cursor.spanFrom(start) };
}
