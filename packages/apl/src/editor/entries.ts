import { aggregateNamed, aggregateNames, overloadsOf } from '../aggregates/index.js';
import type { NamedAggregate } from '../aggregates/index.js';
import { specialForms } from '../bind/calls/special.js';
import type { OverloadedFunction } from '../functions/define.js';
import { functionNamed, functionNames } from '../functions/index.js';
import { exampleText, signaturesOf } from '../reference/signature.js';
import type { Keyword } from '../syntax/lexing/keywords.js';

/** Documentation of a name for an editor: a line of code, and Markdown. */
export interface Entry {
  readonly name: string;
  /** Its signature, or how it is written. */
  readonly detail: string;
  readonly documentation: string;
}

export const keywordEntry = ({ name, syntax, doc }: Keyword): Entry => ({ name, detail: syntax, documentation: doc });

const functionEntry = (name: string, { overloads, summary, examples }: OverloadedFunction): Entry => ({
  name,
  detail: signaturesOf(name, overloads).join('\n'),
  documentation: [summary, ...examples.slice(0, 1).map(exampleText)].join('\n\n'),
});

function aggregateEntry(aggregate: NamedAggregate): Entry {
  const { record, name } = aggregate;
  const isTwin = name === record.twin?.name;
  const examples = isTwin ? [] : record.examples.slice(0, 1).map(({ apl }) => `\`${apl}\``);
  return {
    name,
    detail: signaturesOf(name, overloadsOf(aggregate)).join('\n'),
    documentation: [isTwin ? record.twin!.summary : record.summary, ...examples].join('\n\n'),
  };
}

/** The functions that may be called anywhere, by name. */
export const functionEntries = (): readonly Entry[] => [
  ...functionNames().map((name) => functionEntry(name, functionNamed(name)!)),
  ...[...specialForms.values()].map(keywordEntry),
];

export const aggregateEntries = (): readonly Entry[] =>
  aggregateNames().map((name) => aggregateEntry(aggregateNamed(name)!));

/**
 * The entries of a name in a call; if an aggregate and a function share it, the aggregate comes
 * first.
 */
export function callEntries(name: string): readonly Entry[] {
  const aggregate = aggregateNamed(name);
  const record = functionNamed(name);
  const special = specialForms.get(name);
  return [
    ...(aggregate === undefined ? [] : [aggregateEntry(aggregate)]),
    ...(record === undefined ? [] : [functionEntry(name, record)]),
    ...(special === undefined ? [] : [keywordEntry(special)]),
  ];
}

/** Markdown of an entry: its code, then its documentation. */
export const entryMarkdown = ({ detail, documentation }: Entry): string =>
  `\`\`\`apl\n${detail}\n\`\`\`\n\n${documentation}`;
