import type { SyntaxNode } from '@lezer/common';
import { metricName } from '../model/labels.js';
import type { Matcher, MatchOperator, Selector } from './ast.js';
import type { Source } from './source.js';
import { compileRegex, matchesWhole } from './regex.js';

/** Reads `metric{label="value"}`. */
export function readSelector(node: SyntaxNode, source: Source): Selector {
  const name = node.getChild('Identifier');
  const list = node.getChild('LabelMatchers');
  const matchers: Matcher[] = name === null ? [] : [{ label: metricName, op: '=', value: source.text(name) }];
  for (const child of list === null ? [] : source.children(list)) {
    const matcher = readMatcher(child, source);
    const other = matchers.find(({ label, op }) => label === metricName && op === '=');
    if (matcher.label === metricName && matcher.op === '=' && other !== undefined)
      throw source.problem(
        child,
        `metric name must not be set twice: ${JSON.stringify(other.value)} or ${JSON.stringify(matcher.value)}`,
      );
    matchers.push(matcher);
  }
  if (matchers.every(matchesEmpty))
    throw source.problem(node, 'vector selector must contain at least one non-empty matcher');
  return { kind: 'selector', matchers, offset: 0, span: source.span(node) };
}

function readMatcher(node: SyntaxNode, source: Source): Matcher {
  // The name of the metric, in quotes.
  if (node.name === 'QuotedLabelName') return { label: metricName, op: '=', value: source.name(node) };
  const [label, operator, literal] = source.children(node);
  const op = source.text(operator!) as MatchOperator;
  const value = source.string(literal!);
  if ((op === '=~' || op === '!~') && compileRegex(value) === undefined)
    throw source.problem(literal!, `invalid regular expression ${JSON.stringify(value)}`);
  return { label: source.name(label!), op, value };
}

/** Whether it accepts series without the label. */
function matchesEmpty({ op, value }: Matcher): boolean {
  switch (op) {
    case '=':
      return value === '';
    case '!=':
      return value !== '';
    case '=~':
      return matchesWhole(value, '');
    case '!~':
      return !matchesWhole(value, '');
  }
}
