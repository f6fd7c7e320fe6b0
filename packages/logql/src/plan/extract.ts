import type { Ast } from '@millrace/apl';
import type { Extraction, Parser } from '../syntax/ast.js';
import { type JsonPath, jsonPathOf } from '../syntax/json-path.js';
import { escapeRegex } from '../syntax/patterns.js';
import { binary, call, element, junction, literal, member } from './build.js';

/** What the parsers extract from a line, as expressions of APL. */

/** Makes a column of an expression that is used several times. */
type AsColumn = (value: Ast.Expr) => Ast.Expr;

/** The text that a parser finds under a name; undefined if it never finds one. */
export function extractValue(parser: Parser, name: string, line: Ast.Expr, asColumn: AsColumn): Ast.Expr | undefined {
  switch (parser.kind) {
    case 'json':
      if (parser.only === undefined) return scalarText(pathsOf(name), line, asColumn);
      return ofExtraction(parser.only, name, ({ path }) =>
        call(line.span, 'tostring', valueAt(line, jsonPathOf(path)!)),
      );
    case 'logfmt':
      if (parser.only === undefined) return logfmtValue(line, keyPattern(name));
      return ofExtraction(parser.only, name, ({ path }) => logfmtValue(line, escapeRegex(path)));
    case 'unpack':
      return name === '_entry' ? undefined : scalarText([[name]], line, asColumn);
    case 'captures': {
      const found = parser.captures.find(({ label }) => label === name);
      return found === undefined
        ? undefined
        : call(line.span, 'extract', literal(parser.regex, line.span), literal(BigInt(found.group), line.span), line);
    }
  }
}

/** The names that a parser extracts; undefined if lines decide. */
export function namesOf(parser: Parser): readonly string[] | undefined {
  switch (parser.kind) {
    case 'json':
    case 'logfmt':
      return parser.only?.map(({ label }) => label);
    case 'unpack':
      return undefined;
    case 'captures':
      return parser.captures.map(({ label }) => label);
  }
}

function ofExtraction(
  only: readonly Extraction[],
  name: string,
  make: (extraction: Extraction) => Ast.Expr,
): Ast.Expr | undefined {
  const found = only.find(({ label }) => label === name);
  return found && make(found);
}

const valueAt = (line: Ast.Expr, path: JsonPath): Ast.Expr =>
  path.reduce<Ast.Expr>(
    (object, step) => (typeof step === 'number' ? element(object, step) : member(object, step)),
    call(line.span, 'parse_json', line),
  );

/** The text of the first of some members that is there; objects and lists have none. */
function scalarText(paths: readonly JsonPath[], line: Ast.Expr, asColumn: AsColumn): Ast.Expr {
  const { span } = line;
  const values = paths.map((path) => valueAt(line, path));
  const value = asColumn(values.length === 1 ? values[0]! : call(span, 'coalesce', ...values));
  const type = call(span, 'gettype', value);
  const isNested = junction('or', [
    binary('==', type, literal('dictionary', span)),
    binary('==', type, literal('array', span)),
  ]);
  return call(span, 'iff', isNested, literal('', span), call(span, 'tostring', value));
}

/** Underscores of a name that may also separate members; each doubles the places to look. */
const mostSplits = 4;

/**
 * Where a label of flattened JSON may come from: `a_b` is the member `a_b`, `b` of `a`, `a.b` or
 * `a-b`.
 */
function pathsOf(name: string): readonly JsonPath[] {
  const parts = name.split('_');
  const splits = parts.length - 1;
  if (splits === 0) return [[name]];
  const variants: readonly string[][] = ['.', '-'].map((sign) => [parts.join(sign)]);
  const nested: string[][] = [];
  const places = Math.min(splits, mostSplits);
  for (let bits = 0; bits < 2 ** places; bits++) {
    const path = [parts[0]!];
    for (const [i, part] of parts.slice(1).entries())
      if (i < places && (bits & (1 << i)) !== 0) path.push(part);
      else path.push(`${path.pop()!}_${part}`);
    if (path.every((step) => step !== '')) nested.push(path);
  }
  return [...nested, ...variants];
}

/** Other characters of a key become underscores in its label. */
const keyPattern = (name: string): string => name.replaceAll('_', '[^A-Za-z0-9\\s="]');

const pair = '[^\\s="]*(?:=(?:"(?:[^"\\\\]|\\\\.)*"|(?:[^\\s"]\\S*)?))?';

function logfmtValue(line: Ast.Expr, key: string): Ast.Expr {
  const { span } = line;
  const regex = `^\\s*(?:${pair}\\s+)*?${key}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s"]\\S*))`;
  const group = (number: bigint): Ast.Expr => call(span, 'extract', literal(regex, span), literal(number, span), line);
  const replaceText = (text: Ast.Expr, from: string, to: string): Ast.Expr =>
    call(span, 'replace_string', literal(from, span), literal(to, span), text);
  const unescaped = [
    ['\\"', '"'],
    ['\\n', '\n'],
    ['\\\\', '\\'],
  ].reduce((text, [from, to]) => replaceText(text, from!, to!), group(1n) as Ast.Expr);
  return call(span, 'coalesce', unescaped, group(2n));
}
