import type { Expr, LiteralExpr, Span, TypeName } from './ast.js';
import { parseClock, parseDatetime, readDatetime, readYearOrMonth } from './lexing/datetime.js';
import { typeNames } from './names.js';
import type { Parser } from './parser.js';
import { parseTimespan } from './lexing/timespan.js';

/**
 * Whether `word(…)` is a literal of a type: `long(null)`, `datetime(2024-01-15)`. `dynamic` has its
 * own rule.
 */
export const isTypedLiteral = (word: string): boolean => word !== 'dynamic' && typeNames.has(word);

/**
 *     typed-literal = type "(" ( "null" | LITERAL-TEXT | [ sign ] literal ) ")"
 */
export function parseTypedLiteral(p: Parser): LiteralExpr {
  const word = p.take();
  const type = typeNames.get(word.text)!;
  const opening = p.open('(', '')!;
  const content = p.peek();
  const clock = type === 'datetime' && content.kind === 'literalText' ? parseClock(content.text) : undefined;
  const value = clock === undefined ? readContent() : clock;
  if (clock !== undefined) p.take();
  p.close(opening);
  const span = p.spanFrom(word.start);
  return { kind: 'literal', type, value, ...(clock !== undefined && { ofToday: true }), span };

  function readContent(): LiteralExpr['value'] {
    if (content.kind === 'literalText') {
      p.take();
      return readText(p, type, word.text, content.text, content);
    }
    if (p.at(')')) {
      p.reportUnexpected(`a value in ${word.text}(…)`);
      return null;
    }
    if (isSpecialReal(p, type)) return takeSpecialReal(p);
    const inner = p.withModes({ inDynamic: false, inLet: false, inSearch: false }, () => p.rules.expression(p));
    return convert(p, inner, type, word.text);
  }
}

/** `real(nan)`, `real(+inf)`, `real(-inf)` */
function isSpecialReal(p: Parser, type: TypeName): boolean {
  const ahead = p.at('+') || p.at('-') ? 1 : 0;
  return type === 'real' && (p.at('inf', ahead) || p.at('nan', ahead)) && p.at(')', ahead + 1);
}

function takeSpecialReal(p: Parser): number {
  const sign = p.accept('-') === undefined ? 1 : -1;
  p.accept('+');
  return p.take().text === 'nan' ? Number.NaN : sign * Number.POSITIVE_INFINITY;
}

function convert(p: Parser, inner: Expr, type: TypeName, word: string): LiteralExpr['value'] {
  if (inner.kind === 'error') return null;
  const negative = inner.kind === 'unary' && inner.op === '-';
  const literal = inner.kind === 'unary' && inner.op !== 'not' ? inner.operand : inner;
  if (literal.kind !== 'literal') {
    p.error(
      inner.span,
      `${word}(…) holds a literal; to convert a value, use ${conversions[type]}(…)`,
      undefined,
      'not_constant',
    );
    return null;
  }
  const { value } = literal;
  if (value === null) return null;
  if (negative && type === 'datetime') {
    p.error(inner.span, `a datetime has no sign; write it like ${word}(2024-01-15)`, undefined, 'argument_type');
    return null;
  }
  if (typeof value === 'string' && type !== 'string') {
    const read = readText(p, type, word, value, literal.span);
    return negative && typeof read === 'bigint' ? -read : read;
  }
  if (literal.type === type && typeof value !== 'boolean' && typeof value !== 'string')
    return negative ? -value : value;
  if (literal.type === type && !negative) return value;
  if (type === 'real' && typeof value === 'bigint' && literal.type === 'long') return Number(negative ? -value : value);
  if (type === 'bool' && literal.type === 'long') return value !== 0n;
  p.error(
    inner.span,
    `${word}(…) cannot hold a ${literal.type}; to convert it, use ${conversions[type]}(…)`,
    undefined,
    'argument_type',
  );
  return null;
}

/** The function that converts to each type. */
export const conversions: Readonly<Record<TypeName, string>> = {
  bool: 'tobool',
  long: 'tolong',
  real: 'toreal',
  string: 'tostring',
  datetime: 'todatetime',
  timespan: 'totimespan',
  dynamic: 'todynamic',
};

function readText(p: Parser, type: TypeName, word: string, text: string, { start, end }: Span): LiteralExpr['value'] {
  const span = { start, end };
  if (type === 'datetime') {
    const value = parseDatetime(text) ?? readYearOrMonth(text);
    if (value !== undefined) return value;
    const outside = readDatetime(text) !== undefined;
    if (outside)
      p.error(span, `${text} is out of range; a datetime is between 1677-09-21T00:12:44Z and 2262-04-11T23:47:16Z`);
    else p.error(span, `${text} is no datetime; write it like ${word}(2024-01-15) or ${word}(2024-01-15T10:30:00Z)`);
  } else if (type === 'timespan') {
    // Zero of any unit.
    const value = text === '0' ? 0n : parseTimespan(text);
    if (value !== undefined) return value;
    p.error(span, `${text} is no timespan; write it like ${word}(15s), ${word}(1.5h) or ${word}(1.02:03:04)`);
  } else {
    p.error(
      span,
      `${word}(…) holds a literal without quotes; to convert a string, use ${conversions[type]}(…)`,
      undefined,
      'argument_type',
    );
  }
  return null;
}
