import type { Expr, NamedExpr, Operator, SeriesExpr } from '../ast.js';
import { parseChoice } from '../choices.js';
import { parseNamed } from '../columns.js';
import { parseExpression } from '../expressions.js';
import { commaList } from '../lists.js';
import type { Parser } from '../parser.js';
import { parseBy } from './summarize.js';

const NONEMPTY = new Map([['nonempty', true]]);

const CLAUSES = ['on', 'from', 'to', 'step', 'by', 'default', 'in'] as const;

/**
 *     make-series = "make-series" [ "kind" "=" "nonempty" ] [ default ] series { "," series } "on" expression
 *                   [ "in" "range" "(" expression "," expression "," expression ")" ]
 *                   { "from" expression | "to" expression | "step" expression | "by" columns | default }
 *     series      = named [ default ]
 *     default     = "default" "=" expression
 *
 * A default outside the list of series applies to every series without a default. `kind=nonempty`
 * requests a series even if there are no rows; without groups there is always one.
 */
export function parseMakeSeries(p: Parser, start: number): Operator {
  const nonEmpty = leadsKind(p) ? parseChoice(p, 'kind', NONEMPTY) : undefined;
  let common = leads(p, 'default') ? parseDefault(p) : undefined;
  const series = commaList(p, (): SeriesExpr => parseSeries(p), { ends: CLAUSES });
  const clauses: { on?: Expr; from?: Expr; to?: Expr; step?: Expr; by?: readonly NamedExpr[] } = {};
  for (;;) {
    const word = CLAUSES.find((clause) => p.at(clause));
    if (word === undefined || word === 'in') break;
    const { start: at } = p.peek();
    if (word === 'default') {
      common = parseDefault(p);
      continue;
    }
    if (clauses[word] !== undefined) p.error(p.here(), `make-series has ${word} twice`);
    if (word === 'by') {
      if (nonEmpty === true)
        p.warning(p.here(), 'without rows there are no groups, so kind=nonempty has no effect with by');
      clauses.by = parseBy(p, CLAUSES);
    } else {
      p.take();
      clauses[word] = parseExpression(p);
    }
    if (p.previousEnd <= at) break;
  }
  const { on = missingExpr(p, 'on, and the time column'), from, to, step, by = [] } = clauses;
  const range = rangeOf(p, on);
  return {
    kind: 'make-series',
    aggregates: series,
    ...(common && { default: common }),
    on,
    ...(from && { from }),
    ...(to && { to }),
    ...(range ?? { step: step ?? missingExpr(p, 'step, and the width of a time bin') }),
    by,
    span: p.spanFrom(start),
  };
}

/**
 * `on t in range(start, stop, step)`: the bins are multiples of the step, from the one that holds
 * the start to the one that holds the stop.
 */
function rangeOf(p: Parser, on: Expr): Pick<SeriesOperator, 'on' | 'from' | 'to' | 'step'> | undefined {
  if (on.kind !== 'membership') return undefined;
  const [range] = Array.isArray(on.list) ? (on.list as readonly Expr[]) : [];
  const isRange = range?.kind === 'call' && range.callee.text === 'range' && range.args.length === 3;
  if (on.op !== 'in' || on.negated || !isRange) {
    p.error(
      on.span,
      'the range of make-series is written on t in range(start, stop, step), or on t from … to … step …',
    );
    return { on: on.left, step: p.errorExpr() };
  }
  const { span } = range;
  const [start, stop, step] = range.args.map(({ value }) => value) as [Expr, Expr, Expr];
  const bin = (value: Expr): Expr => ({
    kind: 'call',
    callee: { text: 'bin', quoted: false, span },
    args: [{ value }, { value: step }],
    span,
  });
  return {
    on: on.left,
    from: bin(start),
    to: { kind: 'binary', op: '+', opSpan: span, left: bin(stop), right: step, span },
    step,
  };
}

type SeriesOperator = Extract<Operator, { kind: 'make-series' }>;

function missingExpr(p: Parser, clause: string): Expr {
  p.reportUnexpected(clause);
  return p.errorExpr();
}

/**
 * Whether an option comes first, as in `default=0 avg(x)`; `default=count() on …` names a series.
 */
const leads = (p: Parser, option: string): boolean =>
  p.at(option) && p.at('=', 1) && !p.at('(', 3) && !p.at(',', 3) && !p.at('on', 3);

/**
 * `kind=nonempty count()`, also with another word, which does not exist; `kind=2 * count()` names a
 * series.
 */
function leadsKind(p: Parser): boolean {
  const { kind } = p.peek(2);
  const isChoice = kind === 'word' || kind === 'string';
  return leads(p, 'kind') && isChoice && (p.at('nonempty', 2) || p.peek(3).kind === 'word');
}

function parseDefault(p: Parser): Expr | undefined {
  p.take();
  p.expect('=', 'after default');
  return parseExpression(p);
}

function parseSeries(p: Parser): SeriesExpr {
  const named = parseNamed(p);
  if (!p.at('default')) return named;
  const value = parseDefault(p);
  return { ...named, ...(value && { default: value }), span: p.spanFrom(named.span.start) };
}
