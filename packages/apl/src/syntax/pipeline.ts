import type { Operator, TableSource, Tabular } from './ast.js';
import { dashedOperators, foreignOperatorAdvice, foreignOperatorNames } from './hints/foreign-operators.js';
import { skipHints } from './hints/hints.js';
import { dashedWordsAt, operatorNameAt, operatorNames } from './operator-names.js';
import { oldOperatorNames } from './hints/old-names.js';
import { operatorRules } from './operators/operator-syntax.js';
import type { Parser } from './parser.js';
import { isLoneName, parseSource } from './sources.js';

/**
 *     pipeline = ( source | union | search ) { "|" operator }
 */
export function parsePipeline(p: Parser): Tabular {
  const { start } = p.peek();
  const operators: Operator[] = [];
  const source = beginsWithOperator(p) ? beginWithOperator(p, operators) : parseSource(p);
  if (source.kind === 'table' && p.at(',')) p.error(p.here(), 'several datasets are read by union: union a, b | …');
  parsePipedOperators(p, operators);
  return { kind: 'pipeline', source, operators, span: p.spanFrom(Math.min(start, source.span.start)) };
}

/** `union a, b` and `search in (a) "x"` need no source. */
const beginsWithOperator = (p: Parser): boolean =>
  (p.at('union') || p.at('search') || (p.at('find') && !p.at('(', 1))) && !isLoneName(p);

function beginWithOperator(p: Parser, operators: Operator[]): TableSource {
  const { start } = p.peek();
  operators.push(...parseOperator(p));
  return { kind: 'none', span: { start, end: start } };
}

/**
 *     operators = operator { "|" operator }
 */
export function parseOperators(p: Parser): readonly Operator[] {
  const operators: Operator[] = [];
  if (!p.at('|')) {
    operators.push(...parseOperator(p));
    finishOperator(p);
  }
  parsePipedOperators(p, operators);
  return operators;
}

/**
 * Reads operators up to the end of the pipeline into `operators`; anything between them is reported
 * and skipped.
 */
export function parsePipedOperators(p: Parser, operators: Operator[]): void {
  finishOperator(p, operators.length === 0);
  while (!p.atEnd()) {
    if (p.at('||')) takeDoubledPipe(p);
    else if (p.accept('|') === undefined) reportMissingPipe(p);
    operators.push(...parseOperator(p));
    finishOperator(p);
  }
}

/** Leaves the parser at `|`, at the end, or at an operator whose pipe is missing. */
function finishOperator(p: Parser, isFirst = false): void {
  if (p.atOperatorEnd() || p.at('||') || operatorNameAt(p) !== undefined) return;
  if (isFirst) refuseBeginning(p);
  else p.reportUnexpected('| or the end of the query');
  while (!p.atOperatorEnd() && !(p.peek().startsLine && operatorNameAt(p) !== undefined)) p.skip();
}

/**
 * Rejects beginnings from other languages: conditions, `from`, a function of the rows, or a search
 * term.
 */
function refuseBeginning(p: Parser): void {
  const { kind, text } = p.peek();
  const written =
    kind === 'word' ? `"${text}"` : kind === 'string' ? p.text.slice(p.peek().start, p.peek().end) : '"a"';
  const begins = "a query begins with its dataset alone, as in ['dataset'] | where a == 1";
  p.error(
    p.here(),
    `expected | or the end of the query, but found ${p.describe()}; ${begins} or ['dataset'] | search ${written}`,
  );
}

function takeDoubledPipe(p: Parser): void {
  const message = 'operators are separated by one |, and conditions are joined by or';
  p.error(p.here(), message, { title: 'Write |', replacement: '|' });
  p.take();
}

function reportMissingPipe(p: Parser): void {
  const { text } = dashedWordsAt(p)!;
  const { start } = p.peek();
  if (text === 'count' && p.at('(', 1)) {
    p.error(p.here(), 'aggregates stand before by: summarize count() by a');
    return;
  }
  const message = `a | is missing before ${text}`;
  p.error({ start, end: start + text.length }, message, { title: 'Insert |', replacement: `| ${text}` });
}

/**
 *     operator = NAME arguments
 *
 * `...` marks omitted steps, as in printed examples, and does nothing. Returns one operator or
 * none.
 */
function parseOperator(p: Parser): readonly Operator[] {
  const found = operatorNameAt(p);
  const { start } = p.peek();
  if (found !== undefined) {
    for (let taken = 0; taken < found.length; taken++) p.take();
    skipHints(p);
    return [operatorRules[found.name](p, start)];
  }
  const old = oldOperatorNames.get(p.peek().text);
  if (old !== undefined && operatorNames.has(old)) {
    p.take();
    const fix = { title: `Write ${old}`, replacement: old };
    p.warning(p.spanFrom(start), `${p.text.slice(start, p.previousEnd)} is now written ${old}`, fix);
    skipHints(p);
    return [operatorRules[old as keyof typeof operatorRules](p, start)];
  }
  const dashed = parseDashedOperator(p);
  if (dashed !== undefined) return [dashed];
  if (p.accept('...') !== undefined) {
    p.warning(p.spanFrom(start), '... stands for steps left out; it does nothing', {
      title: 'Remove ...',
      replacement: '',
    });
    return [];
  }
  return parseUnknownOperator(p);
}

/** `sort-by a`, read as `sort by a`. */
function parseDashedOperator(p: Parser): Operator | undefined {
  const words = dashedWordsAt(p);
  const name = dashedOperators.get(words?.text ?? '');
  if (words === undefined || name === undefined) return undefined;
  const { start } = p.peek();
  const replacement = `${name} by`;
  const span = { start, end: start + words.text.length };
  p.warning(span, `${words.text} is written ${replacement}`, { title: `Write ${replacement}`, replacement });
  // All but `by`, with which the keys begin.
  for (let taken = 1; taken < words.length; taken++) p.take();
  return operatorRules[name](p, start);
}

function parseUnknownOperator(p: Parser): readonly Operator[] {
  const { start } = p.peek();
  const words = dashedWordsAt(p);
  if (words === undefined && (p.at('=') || p.peek().kind === 'string'))
    p.error(p.here(), 'events with a text are found by | search "…"; in one field by | where a contains "…"');
  else if (words === undefined) p.reportUnexpected('an operator after |, such as where or summarize');
  else {
    const span = { start, end: start + words.text.length };
    const written = words.text.toLowerCase();
    const advice = foreignOperatorAdvice.get(written);
    const meant =
      advice === undefined
        ? (foreignOperatorNames.get(written) ?? p.findNearest(words.text, operatorNames))
        : undefined;
    const fix = meant === undefined ? undefined : { title: `Write ${meant}`, replacement: meant };
    const hint = meant === undefined ? undefined : `did you mean ${meant}?`;
    const more = advice ?? hint;
    const message = `there is no operator ${words.text}${more === undefined ? '' : `; ${more}`}`;
    p.error(span, message, fix, 'unknown_operator');
    const name = operatorNames.has(meant ?? '') ? (meant as keyof typeof operatorRules) : undefined;
    for (let taken = 0; taken < words.length; taken++) p.take();
    // Continue with the intended operator, to find further mistakes. At the end of the input,
    // missing arguments are not a mistake yet.
    if (name !== undefined && !p.atOperatorEnd()) return [operatorRules[name](p, start)];
    if (advice !== undefined) p.skipForeign();
  }
  while (!p.atOperatorEnd()) p.skip();
  return [{ kind: 'error', span: p.spanFrom(start) }];
}
