import { aggregates } from '../aggregates/index.js';
import type { AggregateRecord } from '../aggregates/define.js';
import { specialForms } from '../bind/calls/special.js';
import { diagnosticCodes } from '../model/diagnostic-codes.js';
import type { Differences, OverloadedFunction } from '../functions/define.js';
import { type FunctionGroup, functions, functionsIn } from '../functions/index.js';
import { infixOperators, signOperators } from '../syntax/infix-operators.js';
import { type Keyword, operators, sources, statements } from '../syntax/lexing/keywords.js';
import { firstQueries } from './first-queries.js';
import { kustoLines } from './kusto.js';
import { languageDifferences } from './language.js';
import { exampleText, signaturesOf } from './signature.js';

/** The reference of the language, generated from its tables. */

const groupTitles: Readonly<Record<FunctionGroup, string>> = {
  conditional: 'Conditions',
  conversion: 'Conversion',
  type: 'Types',
  string: 'Text',
  datetime: 'Time',
  mathematical: 'Mathematics',
  rounding: 'Rounding',
  array: 'Arrays and objects',
  timeseries: 'Series',
  ip: 'Addresses',
  geo: 'Places',
  hash: 'Hashes',
  pair: 'Pairs',
  sketch: 'Sketches',
  sql: 'SQL texts',
  genai: 'Conversations with language models',
  row: 'Rows in order',
};

/** The pages of the reference: Markdown by file name. */
export function referencePages(): ReadonlyMap<string, string> {
  const groups = Object.keys(groupTitles) as FunctionGroup[];
  const pages = [
    ['index.md', indexPage(groups)],
    ['operators.md', operatorsPage()],
    ['aggregations.md', page('Aggregations', aggregates.toSorted(byName).flatMap(aggregateEntry))],
    ...groups.map(
      (group) => [fileOf(group), page(groupTitles[group], membersOf(group).flatMap(functionEntry))] as const,
    ),
    ['findings.md', findingsPage()],
    ['deviations.md', deviationsPage()],
    ['kusto.md', page('Queries from Kusto', [...kustoLines()])],
  ] as const;
  return new Map(pages);
}

const page = (title: string, lines: readonly string[]): string =>
  [`# ${title}`, '', generatedNotice, '', ...lines].join('\n').trimEnd() + '\n';

const generatedNotice =
  '<!-- Written from the tables in packages/apl by `npm run docs -w packages/apl`; a test keeps it current. -->';

const fileOf = (group: FunctionGroup): string => `functions-${group}.md`;

const membersOf = (group: FunctionGroup): readonly OverloadedFunction[] => functionsIn(group).toSorted(byName);

function indexPage(groups: readonly FunctionGroup[]): string {
  const listed = groups.map((group) => {
    const names = membersOf(group).map(({ name }) => `\`${name}\``);
    return `- [${groupTitles[group]}](${fileOf(group)}): ${names.join(' ')}`;
  });
  return page('APL reference', [
    'A query is a source followed by operators, each after a `|`. Everything is case-sensitive. Every example runs as a test.',
    '',
    '```kusto',
    ...firstQueries,
    '```',
    '',
    ...keywordSection('Statements', statements),
    ...keywordSection('Sources', sources),
    ...keywordSection('Calls that use columns or a table', [...specialForms.values()]),
    '## More pages',
    '',
    '- [Operators](operators.md): after a `|`, and between values',
    `- [Aggregations](aggregations.md): ${aggregates
      .toSorted(byName)
      .map(({ name }) => `\`${name}\``)
      .join(' ')}`,
    ...listed,
    '- [Findings](findings.md): errors, warnings and hints about a query, by code',
    '- [Where it differs](deviations.md) from Axiom and from Kusto',
    '- [Queries from Kusto](kusto.md): how many run, and which are rejected',
    '',
    '## In an editor',
    '',
    'The package has functions for editors. They take a query, a position and the available datasets:',
    '',
    '- `complete`: completions at a position, with available fields and their types',
    '- `hover`: the meaning of a word',
    '- `signatureHelp`: signatures of a function, and the current parameter',
    '- `format`: the query with one operator per line; meaning and comments stay the same',
    '- `diagnose`: all findings, with fixes',
  ]);
}

const operatorsPage = (): string =>
  page('Operators', [
    ...keywordSection('After a `|`', operators),
    ...keywordSection('Words between values', [...infixOperators.values()]),
    ...keywordSection('Signs between values, tightest first', signOperators),
  ]);

const findingsPage = (): string =>
  page('Findings', [
    'A finding is an error, a warning or a hint about a query. It has a position in the query and a stable code.',
    '',
    '| code | meaning | example |',
    '|---|---|---|',
    ...Object.entries(diagnosticCodes).map(
      ([code, { doc, example }]) => `| \`${code}\` | ${cell(doc)} | \`${cell(example)}\` |`,
    ),
  ]);

const deviationsPage = (): string =>
  page('Where the language differs', [
    'Known differences from Axiom and Kusto, with reasons. An empty cell means that no difference is known.',
    '',
    ...differencesSection(
      'The language',
      languageDifferences.map(({ point, ...differs }) => ({ name: point, differs })),
    ),
    ...differencesSection(
      'Functions and aggregations',
      [...functions, ...aggregates].toSorted(byName).map(({ name, differs }) => ({
        name: `\`${name}\``,
        ...(differs === undefined ? {} : { differs }),
      })),
    ),
  ]);

/**
 * One row for each difference, with all functions that have it, so that a shared difference is
 * listed once.
 */
function differencesSection(
  title: string,
  items: readonly { readonly name: string; readonly differs?: Differences }[],
): readonly string[] {
  const namesOf = new Map<string, string[]>();
  for (const { name, differs } of items) {
    if (differs === undefined) continue;
    const difference = `${cell(differs.axiom ?? '')} | ${cell(differs.kusto ?? '')}`;
    const names = namesOf.get(difference);
    if (names === undefined) namesOf.set(difference, [cell(name)]);
    else names.push(cell(name));
  }
  const rows = [...namesOf].map(([difference, names]) => `| ${names.join(', ')} | ${difference} |`);
  return [`## ${title}`, '', '| | from Axiom | from Kusto |', '|---|---|---|', ...rows, ''];
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1);

function keywordSection(title: string, keywords: readonly Keyword[]): readonly string[] {
  const rows = keywords.map(({ syntax, doc }) => `| \`${cell(syntax)}\` | ${cell(doc)} |`);
  return [`## ${title}`, '', '| | |', '|---|---|', ...rows, ''];
}

function functionEntry({
  name,
  aliases = [],
  summary,
  overloads,
  examples,
  differs,
}: OverloadedFunction): readonly string[] {
  const signatures = signaturesOf(name, overloads).map((signature) => `\`${signature}\``);
  const also = aliases.length === 0 ? '' : ` Also ${aliases.map((alias) => `\`${alias}\``).join(', ')}.`;
  const shown = examples.slice(0, 2).map((example) => `  - ${exampleText(example)}`);
  return [`- ${signatures.join(' or ')}: ${summary}${also}`, ...shown, ...differenceLines(differs), ''];
}

function aggregateEntry({ name, summary, overloads, twin, differs }: AggregateRecord): readonly string[] {
  const signatures = signaturesOf(name, overloads).map((signature) => `\`${signature}\``);
  const also = twin === undefined ? '' : ` \`${twin.name}\` counts only rows for which its predicate is true.`;
  return [`- ${signatures.join(' or ')}: ${summary}${also}`, ...differenceLines(differs), ''];
}

const differenceLines = ({ axiom, kusto }: Differences = {}): readonly string[] => [
  ...(axiom === undefined ? [] : [`  - Axiom: ${axiom}`]),
  ...(kusto === undefined ? [] : [`  - Kusto: ${kusto}`]),
];

/** Escapes bars, which would end the cell of a table. */
const cell = (text: string): string => text.replaceAll('|', '\\|');
