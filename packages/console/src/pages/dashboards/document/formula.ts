import { fieldText } from '../../../data/apl-text.js';
import { type Chart, membersOf, queryOf, textMember } from './document.js';
import { withQuery } from './edits.js';
import { lastStep } from './max-series.js';

/**
 * A chart from two queries: `A / B * 100`. The document has the combined query, which other
 * programs run too; the property `formula`, with its parts, is ours.
 */
export interface Formula {
  readonly text: string;
  readonly a: string;
  readonly b: string;
}

/** The formula of an element, unless its query was changed since. */
export function formulaOf(chart: Chart): Formula | undefined {
  const members = membersOf(chart['formula']);
  const [text, a, b] = ['text', 'a', 'b'].map((name) => textMember(members, name));
  if (text === undefined || a === undefined || b === undefined) return undefined;
  const formula = { text, a, b };
  const query = queryOf(chart);
  const combined = combinedQuery(formula);
  return 'apl' in combined && 'apl' in query && query.apl === combined.apl ? formula : undefined;
}

/** Changes the formula and the query, if the queries can be combined; undefined keeps query A. */
export function withFormula(chart: Chart, formula: Formula | undefined): Chart {
  if (formula === undefined) {
    const { formula: _, ...others } = chart;
    return withQuery(others as Chart, formulaOf(chart)?.a ?? '');
  }
  const combined = combinedQuery(formula);
  return 'apl' in combined ? { ...withQuery(chart, combined.apl), formula } : chart;
}

/** Aggregates whose value is 0 without events. Others have none. */
const COUNTS = /^\s*(count|countif|dcount|dcountif|sum|sumif|rate)\s*\(/;

/** One query for both, or the reason why there is none. */
export function combinedQuery({ text, a, b }: Formula): { readonly apl: string } | { readonly problem: string } {
  if (text.trim() === '') return { problem: 'Enter a formula, such as A / B * 100.' };
  const [first, second] = [summaryOf(a, 'A'), summaryOf(b, 'B')];
  if ('problem' in first) return first;
  if ('problem' in second) return second;
  if (first.by.join(', ') !== second.by.join(', '))
    return { problem: `Query A has groups ${groupsText(first.by)}, query B ${groupsText(second.by)}: use the same.` };
  const by = first.by.length === 0 ? '' : ` by ${first.by.map(groupAgain).join(', ')}`;
  const values = [first, second].map(({ name, isCount }) => `${name} = 1.0 * ${isCount ? 'sum' : 'max'}(${name})`);
  return {
    apl: [
      `union (${first.apl}), (${second.apl})`,
      `summarize ${values.join(', ')}${by}`,
      `extend value = ${text.trim()}`,
      'project-away A, B',
    ].join('\n| '),
  };
}

interface Summary {
  readonly apl: string;
  readonly name: string;
  readonly by: readonly string[];
  readonly isCount: boolean;
}

/** A query that ends with one aggregate, which gets a name. */
function summaryOf(apl: string, name: 'A' | 'B'): Summary | { readonly problem: string } {
  const { before, step, groups } = lastStep(apl);
  const found = /^\|\s*summarize\s+(?:[A-Za-z_]\w*\s*=(?!=)\s*)?([\s\S]+)$/.exec(step.trim());
  const end = groups.length === 0 ? undefined : /\bby\b(?![\s\S]*\bby\b)/.exec(found?.[1] ?? '')?.index;
  const aggregate = found?.[1]?.slice(0, end).trim();
  if (aggregate === undefined || aggregate === '' || hasComma(aggregate) || /;/.test(before))
    return { problem: `Query ${name} must end with one aggregate, such as: | summarize count() by bin_auto(_time)` };
  const by = groups.map((each) => each.trim());
  const grouped = by.length === 0 ? '' : ` by ${by.join(', ')}`;
  return {
    apl: `${before.trim()} | summarize ${name} = ${aggregate}${grouped}`,
    name,
    by,
    isCount: COUNTS.test(aggregate),
  };
}

/** A comma outside of parentheses and quotes: more than one aggregate. */
function hasComma(text: string): boolean {
  let depth = 0;
  for (const [sign] of text.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[(),]/g)) {
    if (sign === '(') depth++;
    else if (sign === ')') depth--;
    else if (sign === ',' && depth === 0) return true;
  }
  return false;
}

/** Bins of bins are the same bins; other groups are columns of both queries. */
function groupAgain(group: string): string {
  if (/^bin(_auto)?\s*\(\s*_time\b/.test(group)) return group;
  const [, name] = /^([A-Za-z_]\w*)\s*=(?!=)/.exec(group) ?? [];
  return name === undefined ? group : fieldText(name);
}

const groupsText = (groups: readonly string[]): string => (groups.length === 0 ? 'none' : groups.join(', '));
