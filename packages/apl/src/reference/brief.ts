import { aggregates } from '../aggregates/index.js';
import { type FunctionGroup, functionsIn } from '../functions/index.js';
import { operators } from '../syntax/lexing/keywords.js';
import { firstQueries } from './first-queries.js';

/** The language on a few pages, for readers with little room such as agents. */

/** Groups whose functions are for single purposes; the full reference has them. */
const omittedGroups: ReadonlySet<FunctionGroup> = new Set<FunctionGroup>([
  'sketch',
  'sql',
  'geo',
  'hash',
  'genai',
  'timeseries',
]);
const groups: readonly FunctionGroup[] = (
  [
    'string',
    'datetime',
    'conditional',
    'conversion',
    'type',
    'array',
    'mathematical',
    'rounding',
    'ip',
    'row',
    'pair',
  ] as const
).filter((group) => !omittedGroups.has(group));

/** Characters of an operator's syntax; the rare ones are longer. */
const longestSyntax = 90;

/** The reference in short, as Markdown: about 3,000 tokens. */
export function briefReference(): string {
  const operatorLines = operators.map(({ name, syntax, doc }) =>
    syntax.length > longestSyntax ? `- \`${name}\`: ${doc}` : `- \`${syntax}\`: ${doc}`,
  );
  const names = aggregates.map(({ name }) => name).toSorted();
  const functionLines = groups.map(
    (group) =>
      `- ${group}: ${functionsIn(group)
        .map(({ name }) => name)
        .join(', ')}`,
  );
  return [
    '# APL in short',
    "A query is a dataset and operators: `['logs'] | where … | summarize …`. Names with other characters than letters, digits, `_` and `.` are quoted: `['http-logs']`, `['service.name']`. Texts: `'a'`. Times: `now()`, `ago(1h)`, `datetime(2026-01-31)`. Durations: `500ms`, `1h`. Comparisons: `==`, `!=`, `=~` (ignores case), `has` (whole words, fastest), `contains`, `startswith`, `matches regex`, `in (…)`, `between (a .. b)`, `and`, `or`, `not(…)`. A missing field is null: `isnull(x)`, `isempty(x)`.",
    '## Examples',
    ...firstQueries.map((text) => `- \`${text}\``),
    '## Operators',
    ...operatorLines,
    '## Aggregations, after summarize',
    names.join(', '),
    '## Functions',
    ...functionLines,
  ].join('\n');
}
