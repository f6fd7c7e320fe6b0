import type { Catalogue } from '../data/catalogue.js';
import type { Command } from '../data/commands.js';
import { isTraceId, spanDatasets } from '../rows/trace-links.js';
import { datasetText, fieldText, stringText } from '../data/apl-text.js';

/** Something that the palette offers. */
export interface PaletteEntry {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  readonly keys?: string;
  readonly run: () => void;
}

interface Around {
  readonly commands: readonly Command[];
  readonly catalogue: Catalogue | undefined;
  readonly open: (to: string, search: Readonly<Record<string, string>>) => void;
}

/**
 * What a text means, the likeliest first, and at most so many: of ten thousand datasets with their
 * fields, none is made an entry that nobody sees.
 */
export function entriesFor(text: string, around: Around, most: number): readonly PaletteEntry[] {
  const typed = text.trim();
  const words = typed.toLowerCase().split(/\s+/);
  const parts = [named(words, around), ...(typed === '' ? [] : [meanings(typed, around)])];
  const found: PaletteEntry[] = [];
  for (const part of looksTyped(typed) ? parts.toReversed() : parts)
    for (const entry of part) {
      if (found.length === most) return found;
      found.push(entry);
    }
  return found;
}

/** What has all the words in its name. */
function* named(words: readonly string[], around: Around): Generator<PaletteEntry> {
  for (const entry of commandEntries(around)) if (hasAll(words, entry.title.toLowerCase())) yield entry;
  yield* datasetEntries(words, around);
  if (words[0] !== '') yield* fieldEntries(words, around);
}

/** Ids and queries are no names of anything here. */
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

function* datasetEntries(words: readonly string[], { catalogue, open }: Around): Generator<PaletteEntry> {
  for (const { name } of catalogue?.datasets ?? [])
    if (hasAll(words, name.toLowerCase()))
      yield {
        id: `dataset.${name}`,
        title: name,
        group: 'Dataset',
        run: () => open('/query', { q: datasetText(name) }),
      };
}

/** Each is called `field in dataset`. */
function* fieldEntries(words: readonly string[], { catalogue, open }: Around): Generator<PaletteEntry> {
  for (const { name, fields } of catalogue?.datasets ?? []) {
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

/** The text as a trace, as something to look for, and as a query. */
function* meanings(typed: string, { catalogue, open }: Around): Generator<PaletteEntry> {
  const datasets = catalogue?.datasets ?? [];
  const ask = (id: string, title: string, q: string): PaletteEntry => ({
    id,
    title,
    group: 'Ask',
    run: () => open('/query', { q, from: 'now-24h' }),
  });
  if (typed.includes('|') || datasets.some(({ name }) => name === typed)) {
    yield ask('ask.query', `Run ${typed}`, typed);
    return;
  }
  if (isTraceId(typed))
    for (const name of spanDatasets(catalogue))
      yield {
        id: `ask.trace.${name}`,
        title: `Trace ${typed} in ${name}`,
        group: 'Ask',
        run: () => open(`/trace/${encodeURIComponent(name)}/${typed}`, {}),
      };
  for (const { name } of datasets)
    yield ask(
      `ask.search.${name}`,
      `Search the last 24 h in ${name}`,
      `${datasetText(name)}\n| search ${stringText(typed)}`,
    );
}
