import type { Operator, OutputSchema } from '../ast.js';
import { parseChoice } from '../choices.js';
import { parseProperties, parseTrailingOptions } from '../columns.js';
import { parseExpression } from '../expressions.js';
import { bracketedList } from '../lists.js';
import { parseName, parseTypedName } from '../names.js';
import type { Parser } from '../parser.js';
import { parseArguments } from '../primaries.js';

/** The kind has no effect: variable parts are recognized by their shape. */
const REDUCE_KINDS = new Map([['source', 'source']]);

/**
 *     reduce = "reduce" [ "kind" "=" "source" ] "by" expression properties
 */
export function parseReduce(p: Parser, start: number): Operator {
  parseChoice(p, 'kind', REDUCE_KINDS);
  p.expect('by', 'after reduce');
  const by = parseExpression(p);
  const options = parseProperties(p);
  return { kind: 'reduce', by, options, span: p.spanFrom(start) };
}

/**
 *     evaluate = "evaluate" WORD "(" [ argument { "," argument } ] ")" [ ":" schema ]
 */
export function parseEvaluate(p: Parser, start: number): Operator {
  const plugin = parseName(p, 'a plugin, such as pivot(…)');
  const args = parseArguments(p);
  const schema = p.accept(':') === undefined ? undefined : parseOutputSchema(p);
  return { kind: 'evaluate', plugin, args, ...(schema && { schema }), span: p.spanFrom(start) };
}

/**
 *     invoke = "invoke" WORD "(" [ argument { "," argument } ] ")"
 */
export function parseInvoke(p: Parser, start: number): Operator {
  const callee = parseName(p, 'a function, as in invoke f()');
  const args = parseArguments(p);
  return { kind: 'invoke', callee, args, span: p.spanFrom(start) };
}

/**
 *     schema = "(" ( "*" | typed-name ) { "," typed-name } ")"
 */
function parseOutputSchema(p: Parser): OutputSchema | undefined {
  const opening = p.open('(', 'before the columns: (name: type, …)');
  if (opening === undefined) return undefined;
  const columns = bracketedList(p, opening, () =>
    p.accept('*') === undefined ? parseTypedName(p, 'a column: name: type') : undefined,
  );
  return { keeps: columns.includes(undefined), columns: columns.filter((column) => column !== undefined) };
}

/**
 *     render = "render" WORD ( properties | option { [ "," ] option } )
 */
export function parseRender(p: Parser, start: number): Operator {
  const chart = parseName(p, 'a chart, such as timechart');
  const options = parseTrailingOptions(p);
  return { kind: 'render', chart, options, span: p.spanFrom(start) };
}
