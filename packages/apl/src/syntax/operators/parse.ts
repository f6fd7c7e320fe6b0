import type { Operator, ParseSegment } from '../ast.js';
import { parseChoice } from '../choices.js';
import { parseProperties } from '../columns.js';
import { parseExpression } from '../expressions.js';
import { bracketedList } from '../lists.js';
import { nameLength, parseDottedName, parseType, parseTypedName } from '../names.js';
import { operatorNameAt } from '../operator-names.js';
import type { Parser } from '../parser.js';

const MODES = new Map([
  ['simple', 'simple'],
  ['regex', 'regex'],
  ['relaxed', 'relaxed'],
] as const);

/**
 *     parse = "parse" parse-arguments
 */
export function parseParse(p: Parser, start: number): Operator {
  return parseText(p, start, false);
}

/**
 *     parse-where = "parse-where" parse-arguments
 */
export function parseParseWhere(p: Parser, start: number): Operator {
  return parseText(p, start, true);
}

/**
 *     parse-arguments = [ "kind" "=" mode [ "flags" "=" ( WORD | STRING ) ] ] expression "with" segment { segment }
 */
function parseText(p: Parser, start: number, filter: boolean): Operator {
  const mode = parseChoice(p, 'kind', MODES) ?? 'simple';
  const flags = parseFlags(p);
  const source = parseExpression(p);
  if (p.expect('with', 'before the pattern') === undefined) {
    p.skipTo('with');
    p.accept('with');
  }
  const pattern = parsePattern(p);
  return {
    kind: 'parse',
    filter,
    mode,
    ...(flags !== undefined && { flags }),
    source,
    pattern,
    span: p.spanFrom(start),
  };
}

function parseFlags(p: Parser): string | undefined {
  if (!p.at('flags') || !p.at('=', 1)) return undefined;
  p.take();
  p.take();
  const token = p.peek();
  if (token.kind !== 'word' && token.kind !== 'string') {
    p.reportUnexpected('letters after flags=, such as flags=i');
    return undefined;
  }
  p.take();
  return token.kind === 'string' ? String(token.value) : token.text;
}

function parsePattern(p: Parser): readonly ParseSegment[] {
  const segments: ParseSegment[] = [];
  while (!p.atOperatorEnd()) {
    const segment = parseSegment(p);
    if (segment !== undefined) {
      const before = segments.at(-1);
      if (segment.kind === 'capture' && before?.kind === 'capture' && before.type === 'string')
        p.warning(
          before.span,
          `nothing stands between ${before.name.text} and ${segment.name.text}, so ${before.name.text} is always empty; put the text in quotes that separates them`,
        );
      segments.push(segment);
    } else if (p.at(',')) {
      const comma = p.take();
      p.warning(p.spanFrom(comma.start), 'the parts of a pattern are not separated by commas', {
        title: 'Remove the comma',
        replacement: '',
      });
    } else if (isOperatorWithoutPipe(p)) break;
    else {
      p.reportUnexpected('a text in quotes, a column or * in the pattern');
      p.skipTo(',');
      if (!p.at(',')) break;
    }
  }
  if (segments.length === 0) p.reportUnexpected('a pattern: texts in quotes, columns and *');
  return segments;
}

/**
 *     segment = STRING | "*" | dotted-name [ ":" type ]
 */
function parseSegment(p: Parser): ParseSegment | undefined {
  const token = p.peek();
  if (token.kind === 'string') {
    p.take();
    return { kind: 'text', text: String(token.value), span: p.spanFrom(token.start) };
  }
  if (p.accept('*') !== undefined) return { kind: 'skip', span: p.spanFrom(token.start) };
  if (nameLength(p) === undefined) return undefined;
  if (isOperatorWithoutPipe(p)) return undefined;
  const name = parseDottedName(p, 'a column');
  const type = p.accept(':') === undefined ? 'string' : parseType(p);
  return { kind: 'capture', name, type, span: p.spanFrom(token.start) };
}

/** `where x == 1` on a separate line cannot be a column of the pattern, but `count` can. */
function isOperatorWithoutPipe(p: Parser): boolean {
  const found = p.peek().startsLine ? operatorNameAt(p) : undefined;
  if (found === undefined) return false;
  const { kind, text } = p.peek(found.length);
  return kind === 'word' || kind === 'long' || text === '[' || text === '(';
}

/**
 *     parse-kv = "parse-kv" expression "as" "(" [ typed-name { "," typed-name } ] ")" properties
 */
export function parseParseKv(p: Parser, start: number): Operator {
  const source = parseExpression(p);
  p.expect('as', 'before the keys');
  const opening = p.open('(', 'before the keys: (key: type, …)');
  const keys = opening === undefined ? [] : bracketedList(p, opening, () => parseTypedName(p, 'a key'));
  const options = parseProperties(p);
  return { kind: 'parse-kv', source, keys, options, span: p.spanFrom(start) };
}
