import type { Catalog } from '../data/catalog.js';
import type { Command } from '../data/commands.js';
import { datasetText, fieldText } from '../data/apl-text.js';
import { isMetricsDataset } from '../data/metrics/metrics-dataset.js';
import { isTraceId } from '../data/results/trace-ids.js';
import { searchToApl } from '../editor/search-syntax.js';
import { spanDatasets } from '../rows/trace-links.js';

/** An entry of the command palette. */
export interface PaletteEntry {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  readonly keys?: string;
  readonly run: () => void;
}

/** Something with a name and an address: a dashboard, a monitor, a saved query, a settings page. */
export interface PaletteItem {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
}

interface Around {
  readonly commands: readonly Command[];
  readonly items: readonly PaletteItem[];
  /** Queries that ran lately. */
  readonly recent: readonly PaletteItem[];
  /** IDs of entries that were run, latest first. */
  readonly used: readonly string[];
  readonly catalog: Catalog | undefined;
  readonly open: (to: string, search: Readonly<Record<string, string>>) => void;
}

/**
 * Matches of a text, best first, up to a limit. Lazy: among the fields of ten thousand datasets,
 * only matches become entries.
 */
export function entriesFor(text: string, around: Around, max: number): readonly PaletteEntry[] {
  const typed = text.trim();
  const words = typed.toLowerCase().split(/\s+/);
  const parts = [
    byUse(matchingEntries(words, around), around.used),
    ...(typed === '' ? [] : [meanings(typed, around)]),
  ];
  const found: PaletteEntry[] = [];
  for (const part of looksTyped(typed) ? parts.toReversed() : parts)
    for (const entry of part) {
      if (found.length === max) return found;
      found.push(entry);
    }
  return found;
}

/** Entries that are sorted by use: a few beyond those shown. */
const MAX_SORTED = 500;

/** The first entries by how often they were run, then as they come. */
function* byUse(entries: Generator<PaletteEntry>, used: readonly string[]): Generator<PaletteEntry> {
  const uses = new Map<string, number>();
  for (const id of used) uses.set(id, (uses.get(id) ?? 0) + 1);
  const first: PaletteEntry[] = [];
  while (uses.size > 0 && first.length < MAX_SORTED) {
    const { value, done } = entries.next();
    if (done === true) break;
    first.push(value);
  }
  yield* first.toSorted((a, b) => (uses.get(b.id) ?? 0) - (uses.get(a.id) ?? 0));
  yield* entries;
}

/** Entries with all words in the name. */
function* matchingEntries(words: readonly string[], around: Around): Generator<PaletteEntry> {
  for (const entry of commandEntries(around)) if (hasAll(words, entry.title.toLowerCase())) yield entry;
  if (words[0] !== '') yield* itemEntries(words, around.items, around);
  yield* datasetEntries(words, around);
  if (words[0] === '') return;
  yield* itemEntries(words, around.recent, around);
  yield* fieldEntries(words, around);
}

/** IDs and queries are not names. */
const looksTyped = (typed: string): boolean =>
  typed.includes('|') || /^[\da-f-]{12,}$/i.test(typed) || /\d{5}/.test(typed);

/** All words, in any order. */
const hasAll = (words: readonly string[], lower: string): boolean => words.every((word) => lower.includes(word));

const commandEntries = ({ commands }: Around): readonly PaletteEntry[] =>
  commands
    .filter(({ onlyKeys }) => onlyKeys !== true)
    .map(({ id, title, group, keys, run }) => ({
      id,
      title,
      group,
      run,
      ...(keys?.[0] !== undefined && { keys: keys[0] }),
    }));

/** Also found by their kind: `monitor disk`. */
function* itemEntries(
  words: readonly string[],
  items: readonly PaletteItem[],
  { open }: Around,
): Generator<PaletteEntry> {
  for (const { id, title, group, to, search } of items)
    if (hasAll(words, `${group} ${title}`.toLowerCase())) yield { id, title, group, run: () => open(to, search) };
}

function* datasetEntries(words: readonly string[], { catalog, open }: Around): Generator<PaletteEntry> {
  for (const dataset of catalog?.datasets ?? []) {
    const { name } = dataset;
    if (hasAll(words, name.toLowerCase()))
      yield {
        id: `dataset.${name}`,
        title: name,
        group: 'Dataset',
        run: () =>
          isMetricsDataset(dataset) ? open('/metrics', { d: name }) : open('/query', { q: datasetText(name) }),
      };
  }
}

/** Entries are titled `field in dataset`. */
function* fieldEntries(words: readonly string[], { catalog, open }: Around): Generator<PaletteEntry> {
  for (const { name, fields } of catalog?.datasets ?? []) {
    const dataset = ` in ${name.toLowerCase()}`;
    const left = words.filter((word) => !dataset.includes(word));
    for (const field of fields)
      if (hasAll(left, field.name.toLowerCase()))
        yield {
          id: `field.${name}.${field.name}`,
          title: `${field.name} in ${name}`,
          group: 'Field',
          run: () => open('/query', { q: `${datasetText(name)}\n| where isnotnull(${fieldText(field.name)})` }),
        };
  }
}

/** The text as a trace ID, a search term and a query. */
function* meanings(typed: string, { catalog, open }: Around): Generator<PaletteEntry> {
  const datasets = (catalog?.datasets ?? []).filter((dataset) => !isMetricsDataset(dataset));
  const ask = (id: string, title: string, query: () => string): PaletteEntry => ({
    id,
    title,
    group: 'Run',
    run: () => open('/query', { q: query(), from: 'now-24h' }),
  });
  if (typed.includes('|') || datasets.some(({ name }) => name === typed)) {
    yield ask('ask.query', `Run ${typed}`, () => typed);
    return;
  }
  if (isTraceId(typed))
    for (const name of spanDatasets(catalog))
      yield {
        id: `ask.trace.${name}`,
        title: `Trace ${typed} in ${name}`,
        group: 'Run',
        run: () => open(`/trace/${encodeURIComponent(name)}/${typed}`, {}),
      };
  for (const { name, fields } of datasets)
    yield ask(`ask.search.${name}`, `Search ${name} in the last 24 hours`, () => searchToApl(typed, name, fields));
}
