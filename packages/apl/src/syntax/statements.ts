import type { Expr, Name, Program, Statement, Tabular, TypedName } from './ast.js';
import { parseExpression } from './expressions.js';
import { bracketedList } from './lists.js';
import { isPipelineNext } from './lookahead.js';
import { nameLength, parseName, parseType, typeWithoutColon } from './names.js';
import type { Parser } from './parser.js';
import { parsePipedOperators } from './pipeline.js';
import type { Token } from './lexing/tokens.js';

/**
 *     program = { statement ";" } [ pipeline ] [ ";" ]
 */
export function parseProgram(p: Parser): Program {
  const statements: Statement[] = [];
  let query: Tabular | undefined;
  let semicolon: Token | undefined;
  while (p.peek().kind !== 'end') {
    const statement = parseStatement(p);
    if (statement !== undefined) statements.push(statement);
    else if (query !== undefined && p.at('|')) query = continuePipeline(p, query, semicolon);
    else if (!p.at(';')) {
      if (query !== undefined) p.error(p.here(), 'a text holds one query; name the earlier one with let, or remove it');
      const next = p.rules.pipeline(p);
      query ??= next;
    }
    skipUnopened(p);
    semicolon = p.accept(';');
  }
  if (query === undefined) p.error(p.here(), "expected a query, such as ['dataset'] | count");
  const span = { start: 0, end: p.text.length };
  return query === undefined ? { statements, span } : { statements, query, span };
}

/** Continues the pipeline at a pipe that follows a stray `;` or a bracket that was never opened. */
function continuePipeline(p: Parser, query: Tabular, semicolon: Token | undefined): Tabular {
  if (semicolon !== undefined) {
    const { start, end } = semicolon;
    p.error({ start, end }, 'the ; ends the query before its next |', { title: 'Remove ;', replacement: '' });
  }
  const operators = [...query.operators];
  parsePipedOperators(p, operators);
  return { ...query, operators, span: p.spanFrom(query.span.start) };
}

function skipUnopened(p: Parser): void {
  while (p.at(')') || p.at(']') || p.at('}')) {
    const { text, start } = p.take();
    p.error(p.spanFrom(start), `this ${text} closes nothing`, { title: `Remove ${text}`, replacement: '' });
  }
}

function parseStatement(p: Parser): Statement | undefined {
  if (p.at('let') && nameLength(p, 1) !== undefined && !p.at('|', 1)) return parseLet(p);
  if (p.at('set') && p.peek(1).kind === 'word') return parseSet(p);
  if (p.at('declare') && p.peek(1).kind === 'word') return parseDeclare(p);
  return undefined;
}

/**
 *     let = "let" name "=" ( pipeline | "materialize" "(" pipeline ")" | expression | [ "view" ] function )
 *
 * `view` has no effect: in Kusto it makes wildcards match the function. Nor does `materialize`,
 * which caches a table that is read several times.
 */
function parseLet(p: Parser): Statement {
  const { start } = p.take();
  const name = parseName(p, 'a name');
  if (p.at('(') && p.closingOf() !== undefined) return refuseFunction(p, start, name);
  p.expect('=', 'after the name');
  if (isArrowAt(p)) return refuseFunction(p, start, name);
  if (p.at('view') && isFunctionAt(p, 1)) p.take();
  if (isFunctionAt(p)) return parseFunction(p, start, name);
  if (isBareFunctionAt(p)) return parseBareFunction(p, start, name);
  const value = parseValue(p);
  if (value.kind !== 'pipeline' && p.at('|')) {
    p.error(p.here(), 'a pipeline begins with a table, not with a value');
    while (!p.atEnd()) p.skip();
  }
  expectSemicolon(p);
  return { kind: 'let', name, value, span: p.spanFrom(start) };
}

/**
 * `x => x + 1`, `(x) => x + 1`, `function(x) { x + 1 }` or `lambda x: x + 1`, as other languages
 * write functions.
 */
function isArrowAt(p: Parser): boolean {
  if ((p.at('function') && p.at('(', 1)) || (p.at('lambda') && p.peek(1).kind === 'word')) return true;
  return p.at('=>', p.at('(') ? (p.closingOf() ?? 0) + 1 : 1);
}

function refuseFunction(p: Parser, start: number, name: Name): Statement {
  while (!p.at(';') && p.peek().kind !== 'end') p.skip();
  const span = p.spanFrom(start);
  p.error(
    span,
    `a function is written let ${name.text} = (a: long) { a + 1 }; with the type of each parameter, as in (a: string, b: real)`,
  );
  return { kind: 'let', name, value: p.errorExpr(), span };
}

function parseValue(p: Parser): Expr | Tabular {
  if (p.at('materialize') && p.at('(', 1)) {
    const { start } = p.take();
    const fix = { title: 'Remove materialize', replacement: '' };
    p.warning(p.spanFrom(start), 'materialize has no effect', fix);
    return p.rules.pipeline(p);
  }
  if (isPipelineNext(p)) return p.rules.pipeline(p);
  return p.withModes({ inLet: true }, () => parseExpression(p));
}

function expectSemicolon(p: Parser): void {
  if (p.at(';') || p.atEnd()) return;
  const end = p.previousEnd;
  p.error({ start: end, end }, `expected ; after the statement, but found ${p.describe()}`, {
    title: 'Insert ;',
    replacement: ';',
  });
  if (!p.peek().startsLine) p.skipTo();
}

/** `(x: long) {` or `() {` */
function isFunctionAt(p: Parser, ahead = 0): boolean {
  const closing = p.at('(', ahead) ? p.closingOf(ahead) : undefined;
  return closing !== undefined && p.at('{', closing + 1);
}

/** `(x: long) x + 1`, a function body without braces. */
function isBareFunctionAt(p: Parser): boolean {
  const named = nameLength(p, 1);
  return p.at('(') && p.closingOf() !== undefined && named !== undefined && p.at(':', 1 + named);
}

function parseBareFunction(p: Parser, start: number, name: Name): Statement {
  const params = bracketedList(p, p.open('(', '')!, () => parseParameter(p));
  const { start: begin } = p.peek();
  const body = isPipelineNext(p) ? p.rules.pipeline(p) : p.withModes({ inLet: true }, () => parseExpression(p));
  const span = p.spanFrom(begin);
  const replacement = `{ ${p.text.slice(span.start, span.end)} }`;
  p.error(span, `the body of a function stands in braces: ${replacement}`, { title: 'Put it in braces', replacement });
  expectSemicolon(p);
  return { kind: 'letFunction', name, params, statements: [], body, span: p.spanFrom(start) };
}

type Parameter = TypedName & { readonly default?: Expr; readonly tabular?: boolean };

/**
 *     function = "(" [ parameter { "," parameter } ] ")" "{" { let ";" } ( pipeline | expression ) [ ";" ] "}"
 */
function parseFunction(p: Parser, start: number, name: Name): Statement {
  const params = bracketedList(p, p.open('(', '')!, () => parseParameter(p));
  const opening = p.open('{', 'before the body of the function')!;
  const statements: Statement[] = [];
  while (p.at('let') && nameLength(p, 1) !== undefined) {
    statements.push(
      p.withinDepth(
        () => parseLet(p),
        () => ({
          kind: 'let',
          name: { text: '', quoted: false, span: p.here() },
          value: p.errorExpr(),
          span: p.here(),
        }),
      ),
    );
    p.accept(';');
  }
  const body = isPipelineNext(p) ? p.rules.pipeline(p) : parseExpression(p);
  p.accept(';');
  p.close(opening);
  expectSemicolon(p);
  return { kind: 'letFunction', name, params, statements, body, span: p.spanFrom(start) };
}

/**
 *     parameter = name [ ":" ( type [ "=" expression ] | schema ) ]
 *
 * A schema, or `(*)`, makes the parameter a table.
 */
function parseParameter(p: Parser): Parameter {
  const name = parseName(p, 'a parameter');
  const bare = typeWithoutColon(p, name);
  if (bare === undefined && p.accept(':') === undefined) return { name };
  const opening = p.at('(') ? p.open('(', '') : undefined;
  if (opening !== undefined) {
    while (!p.at(')') && p.peek().kind !== 'end') p.skip();
    p.close(opening);
    return { name, tabular: true };
  }
  const type = bare ?? parseType(p);
  return p.accept('=') === undefined ? { name, type } : { name, type, default: parseExpression(p) };
}

/**
 *     set = "set" WORD [ "=" expression ]
 */
function parseSet(p: Parser): Statement {
  const { start } = p.take();
  const name = parseName(p, 'the name of an option');
  const value = p.accept('=') === undefined ? undefined : p.withModes({ inLet: true }, () => parseExpression(p));
  expectSemicolon(p);
  return { kind: 'set', name, ...(value && { value }), span: p.spanFrom(start) };
}

/**
 *     declare = "declare" "query_parameters" "(" name ":" type [ "=" expression ] { "," … } ")"
 */
function parseDeclare(p: Parser): Statement {
  const { start } = p.take();
  if (!p.at('query_parameters')) {
    const fix = { title: 'Write query_parameters', replacement: 'query_parameters' };
    p.reportUnexpected('query_parameters after declare', fix);
    p.take();
  } else p.take();
  const opening = p.open('(', 'before the parameters');
  const params =
    opening === undefined
      ? []
      : bracketedList(p, opening, () => {
          const name = parseName(p, 'a parameter: name: type = default');
          p.expect(':', 'after the name of a parameter');
          const type = parseType(p);
          return p.accept('=') === undefined ? { name, type } : { name, type, default: parseExpression(p) };
        });
  expectSemicolon(p);
  return { kind: 'declare', params, span: p.spanFrom(start) };
}
