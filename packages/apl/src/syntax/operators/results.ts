import type { Operator } from '../ast.js';
import { parseProperties } from '../columns.js';
import { parseExpression } from '../expressions.js';
import { parseName } from '../names.js';
import type { Parser } from '../parser.js';
import { parseArguments } from '../primaries.js';

/**
 *     reduce = "reduce" "by" expression properties
 */
export function parseReduce(p: Parser, start: number): Operator {
  p.expect('by', 'after reduce');
  const by = parseExpression(p);
  const options = parseProperties(p);
  return { kind: 'reduce', by, options, span: p.spanFrom(start) };
}

/**
 *     evaluate = "evaluate" WORD "(" [ argument { "," argument } ] ")"
 */
export function parseEvaluate(p: Parser, start: number): Operator {
  const plugin = parseName(p, 'a plugin, such as pivot(…)');
  const args = parseArguments(p);
  return { kind: 'evaluate', plugin, args, span: p.spanFrom(start) };
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
 *     render = "render" WORD properties
 */
export function parseRender(p: Parser, start: number): Operator {
  const chart = parseName(p, 'a chart, such as timechart');
  const options = parseProperties(p);
  return { kind: 'render', chart, options, span: p.spanFrom(start) };
}
