import { aggregates } from '../aggregates/index.js';
import type { AggregateRecord } from '../aggregates/define.js';
import type { Example, ExampleValue, FunctionGroup, FunctionRecord, Param, ParamType } from '../functions/define.js';
import { functions } from '../functions/index.js';
import { infixOperators } from '../syntax/infix-operators.js';
import { type Keyword, operators, sources, statements } from '../syntax/keywords.js';

/** The reference page of the language, written from the records it is made of. */

const groupTitles: Readonly<Record<Exclude<FunctionGroup, 'operator'>, string>> = {
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
  hash: 'Hashes',
  pair: 'Pairs',
  sql: 'SQL texts',
  genai: 'Conversations with language models',
  metadata: 'Metadata',
  row: 'Rows in order',
};

/** Markdown. */
export function referencePage(): string {
  return [
    '# APL reference',
    '',
    '<!-- Written from the records in packages/apl by `npm run docs -w packages/apl`; a test keeps it current. -->',
    '',
    'A query is a source followed by operators, each behind a `|`. Everything is case-sensitive. Every example below runs as a test.',
    '',
    ...keywordSection('Statements', statements),
    ...keywordSection('Sources', sources),
    ...keywordSection('Operators', operators),
    '## Infix operators',
    '',
    [...infixOperators.keys()].map((sign) => `\`${sign}\``).join(' · '),
    '',
    '## Aggregations',
    '',
    ...aggregates.toSorted(byName).flatMap(aggregateEntry),
    '## Functions',
    '',
    ...(Object.keys(groupTitles) as (keyof typeof groupTitles)[]).flatMap(groupSection),
    '## Where we differ',
    '',
    'Behaviour that differs knowingly from the documented language, and why.',
    '',
    ...[...functions, ...aggregates]
      .toSorted(byName)
      .flatMap(({ name, deviation }) => (deviation === undefined ? [] : [`- \`${name}\`: ${deviation}`])),
    '',
  ].join('\n');
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1);

function keywordSection(title: string, keywords: readonly Keyword[]): readonly string[] {
  const rows = keywords.map(({ syntax, doc }) => `| \`${cell(syntax)}\` | ${cell(doc)} |`);
  return [`## ${title}`, '', '| | |', '|---|---|', ...rows, ''];
}

function groupSection(group: keyof typeof groupTitles): readonly string[] {
  const members = functions.filter((record) => record.group === group).toSorted(byName);
  return members.length === 0 ? [] : [`### ${groupTitles[group]}`, '', ...members.flatMap(functionEntry)];
}

function functionEntry({ name, aliases = [], summary, overloads, examples }: FunctionRecord): readonly string[] {
  const signatures = overloads.map(({ params, rest }) => `\`${name}(${signature(params, rest)})\``);
  const also = aliases.length === 0 ? '' : ` Also ${aliases.map((alias) => `\`${alias}\``).join(', ')}.`;
  const shown = examples.slice(0, 2).map((example) => `  - ${exampleText(example)}`);
  return [`- ${[...new Set(signatures)].join(' or ')}: ${summary}${also}`, ...shown, ''];
}

function aggregateEntry({ name, summary, overloads, twin }: AggregateRecord): readonly string[] {
  const signatures = overloads.map(({ params, rest }) => `\`${name}(${signature(params, rest)})\``);
  const also = twin === undefined ? '' : ` \`${twin.name}\` counts only rows for which its predicate is true.`;
  return [`- ${[...new Set(signatures)].join(' or ')}: ${summary}${also}`, ''];
}

const typeNames: Partial<Record<ParamType, string>> = { bag: 'object' };

function signature(params: readonly Param[], rest: Param | undefined): string {
  const shown = params.map((param) => (param.optional === true ? `[${written(param)}]` : written(param)));
  return [...shown, ...(rest === undefined ? [] : [`${written(rest)}…`])].join(', ');
}

const written = ({ name, type }: Param): string => `${name}: ${typeNames[type] ?? type}`;

const exampleText = ({ apl, gives }: Example): string => `\`${apl}\` → \`${valueText(gives)}\``;

function valueText(value: ExampleValue): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${(value as readonly ExampleValue[]).map(valueText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value as Readonly<Record<string, ExampleValue>>);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}: ${valueText(member)}`).join(', ')}}`;
}

/** A bar would end the cell. */
const cell = (text: string): string => text.replaceAll('|', '\\|');
