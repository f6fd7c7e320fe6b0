import type { Value } from './ast.js';
import type { Cursor } from './cursor.js';

/** Deeper arrays are rejected, because reading them recurses. */
const deepest = 8;

/**
 * Reads a value: a literal, a list of values or a parameter.
 * @throws SyntaxProblem
 */
export function parseValue(cursor: Cursor, what = 'a value', depth = 0): Value {
  const { span } = cursor.next;
  const start = span.start;
  const sign = cursor.is('-') || cursor.is('+') ? cursor.take().text : '';
  const factor = sign === '-' ? -1 : 1;
  const token = cursor.next;
  switch (token.kind) {
    case 'int':
    case 'float':
      cursor.take();
      return { kind: token.kind, value: factor * token.value, span: cursor.spanFrom(start) };
    case 'duration':
      cursor.take();
      return { kind: 'duration', milliseconds: factor * token.milliseconds, span: cursor.spanFrom(start) };
    case 'name':
      if (token.text === 'inf') {
        cursor.take();
        return { kind: 'float', value: factor * Infinity, span: cursor.spanFrom(start) };
      }
      if (sign === '' && (token.text === 'true' || token.text === 'false')) {
        cursor.take();
        return { kind: 'bool', value: token.text === 'true', span };
      }
      break;
    case 'string':
      if (sign !== '') break;
      cursor.take();
      return { kind: 'string', parts: token.parts, span };
    case 'regex':
      if (sign !== '') break;
      cursor.take();
      return { kind: 'regex', pattern: token.pattern, span };
    case 'param':
      if (sign !== '') break;
      cursor.take();
      return { kind: 'param', name: token.name, span };
    case 'symbol':
      if (sign === '' && token.text === '[') return parseArray(cursor, depth);
      break;
    case 'time':
    case 'comment':
    case 'end':
      break;
  }
  return cursor.refuse(`expected ${what}`);
}

function parseArray(cursor: Cursor, depth: number): Value {
  const start = cursor.next.span.start;
  if (depth >= deepest) cursor.refuse(`expected at most ${deepest} nested arrays`);
  cursor.expect('[', 'before the elements');
  const values: Value[] = [];
  while (!cursor.is(']')) {
    values.push(parseValue(cursor, 'an element or ]', depth + 1));
    if (!cursor.has(',')) break;
  }
  cursor.expect(']', 'after the elements');
  return { kind: 'array', values, span: cursor.spanFrom(start) };
}
