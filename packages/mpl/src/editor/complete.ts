import type { Completion } from '@millrace/apl/positions';
import {
  alignFunctions,
  bucketFunctions,
  bucketWords,
  computeFunctions,
  type FunctionRecord,
  groupFunctions,
  mapFunctions,
} from '../model/functions.js';
import { filterOperators, steps } from '../model/steps.js';
import { parameterTypes, tagTypes } from '../syntax/ast.js';
import type { Token } from '../syntax/tokens.js';
import type { KnownMetrics } from './known-metrics.js';
import { type Place, placeAt } from './place.js';
import { nameText } from './write.js';

type Entry = Omit<Completion, 'range'>;

/** Longer lists cannot be read. */
const maxOffered = 100;

/**
 * Completions at `offset`, best first: labels that begin with the typed text, then labels that
 * contain it. Empty in comments, strings and after complete steps.
 */
export function complete(text: string, offset: number, known: KnownMetrics): readonly Completion[] {
  const place = placeAt(text, offset);
  if (place === undefined) return [];
  const typed = place.typed.toLowerCase();
  const found = (place.isStep ? inStep(place, known) : inSource(place, known)).map((entry) => ({
    entry,
    at: entry.label.toLowerCase().indexOf(typed),
  }));
  return found
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => Number(a.at > 0) - Number(b.at > 0))
    .slice(0, maxOffered)
    .map(({ entry }) => ({ ...entry, range: place.range }));
}

const keyword = (label: string, documentation: string, insertText = `${label} `): Entry => ({
  label,
  kind: 'keyword',
  insertText,
  detail: label,
  documentation,
});
const namedEntry = (label: string, kind: 'field' | 'dataset', detail: string, insertText = nameText(label)): Entry => ({
  label,
  kind,
  insertText,
  detail,
  documentation: '',
});

function inSource({ before }: Place, { datasets, metrics }: KnownMetrics): readonly Entry[] {
  const last = before.at(-1);
  if (last?.text === ':') {
    const isType = before.at(-2)?.kind === 'param';
    return isType
      ? parameterTypes.map((type) => keyword(type, 'Type of the parameter.', type))
      : metrics.map(({ name, detail }) => namedEntry(name, 'field', detail));
  }
  if (last !== undefined && !['(', ',', ';'].includes(last.text)) return [];
  return datasets.map((name) => namedEntry(name, 'dataset', 'dataset of metrics', `${nameText(name)}:`));
}

function inStep({ before }: Place, { tags }: KnownMetrics): readonly Entry[] {
  const [step, ...rest] = before;
  if (step === undefined) return stepEntries;
  const tagEntries = tags.map((name) => namedEntry(name, 'field', 'tag'));
  switch (step.text) {
    case 'where':
    case 'filter':
      return inFilter(rest, tagEntries);
    case 'map':
      return rest.length === 0 ? functionEntries(mapFunctions) : [];
    case 'align':
      return afterStep(rest, { to: true, functions: alignFunctions });
    case 'group':
      return afterStep(rest, { by: tagEntries, functions: groupFunctions });
    case 'bucket':
      return afterStep(rest, { by: tagEntries, to: true, functions: bucketFunctions });
    case 'compute':
      if (rest.length === 1) return [keyword('using', 'Before the function.')];
      return rest.at(-1)?.text === 'using' ? functionEntries(computeFunctions) : [];
    case 'extend':
    case 'as':
    case 'offset':
    case 'sample':
    default:
      return [];
  }
}

const stepEntries: readonly Entry[] = Object.entries(steps).map(([label, { doc, form }]) => ({
  label,
  kind: 'operator',
  insertText: `${label} `,
  detail: form,
  documentation: doc,
}));

function inFilter(tokens: readonly Token[], tagEntries: readonly Entry[]): readonly Entry[] {
  const last = tokens.at(-1);
  if (last === undefined || ['and', 'or', 'not', '('].includes(last.text))
    return [...tagEntries, keyword('not', 'The condition does not hold.')];
  if (last.text === 'is') return tagTypes.map((type) => keyword(type, 'Type of the value.', type));
  if (last.text in filterOperators) return [];
  const previous = tokens.at(-2);
  const isTag = last.kind === 'name' && (previous === undefined || ['and', 'or', 'not', '('].includes(previous.text));
  if (isTag) return Object.entries(filterOperators).map(([operator, doc]) => keyword(operator, doc));
  return [keyword('and', 'Both conditions hold.'), keyword('or', 'One of the conditions holds.')];
}

interface Parts {
  readonly by?: readonly Entry[];
  readonly to?: true;
  readonly functions: Readonly<Record<string, FunctionRecord>>;
}

/** After `align`, `group` or `bucket`: their words, tags, durations and functions. */
function afterStep(tokens: readonly Token[], { by, to, functions }: Parts): readonly Entry[] {
  const last = tokens.at(-1);
  const words = tokens.map(({ text }) => text);
  const open = words.lastIndexOf('(');
  if (open >= 0 && !words.includes(')', open)) return argumentEntries(words.slice(open));
  if (last?.text === 'using') return functionEntries(functions);
  if (words.includes('using')) return [];
  if (last?.text === 'to') return widthEntries;
  if (by !== undefined && (last?.text === 'by' || last?.text === ',')) return by;
  return [
    ...(by !== undefined && !words.includes('by') && !words.includes('to')
      ? [keyword('by', 'Before the tags that stay.')]
      : []),
    ...(to === true && !words.includes('to') ? [keyword('to', 'Before the width of the windows.')] : []),
    keyword('using', 'Before the function.'),
  ];
}

const widthEntries: readonly Entry[] = [
  keyword('$__interval', 'The width that suits the chart.'),
  ...['10s', '30s', '1m', '5m', '15m', '1h', '1d'].map((width) => keyword(width, 'Width of a window.')),
];

/** Arguments of a histogram function. */
function argumentEntries(words: readonly string[]): readonly Entry[] {
  const modes =
    words.length === 1
      ? [
          keyword('rate', 'Of cumulative histograms: per second.', 'rate, '),
          keyword('increase', 'Of cumulative histograms: per window.', 'increase, '),
        ]
      : [];
  return [
    ...modes,
    ...['0.5', '0.9', '0.95', '0.99'].map((quantile) => keyword(quantile, 'A quantile.', quantile)),
    ...bucketWords.map((word) => keyword(word, 'A statistic.', word)),
  ];
}

/** Arguments that functions of histograms are inserted with. */
const usual: Readonly<Record<string, string>> = {
  histogram: '(0.5, 0.95, 0.99)',
  interpolate_delta_histogram: '(0.5, 0.95, 0.99)',
  interpolate_cumulative_histogram: '(rate, 0.5, 0.95, 0.99)',
};

const functionEntries = (table: Readonly<Record<string, FunctionRecord>>): readonly Entry[] =>
  Object.entries(table).map(([label, { doc, args }]) => ({
    label,
    kind: 'function',
    insertText: /^\W$/.test(label) ? label : `${label}${usual[label] ?? (args > 0 ? '(0)' : '')}`,
    detail: args > 0 ? `${label}(number)` : label,
    documentation: doc,
  }));
