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

/** What a text means, the likeliest first. */
export function entriesFor(text: string, around: Around): readonly PaletteEntry[] {
  const typed = text.trim();
  const named = [...commandEntries(around), ...datasetEntries(around), ...(typed === '' ? [] : fieldEntries(around))];
  const found = typed === '' ? named : named.filter(({ title }) => matches(typed, title));
  const meant = typed === '' ? [] : meanings(typed, around);
  return looksTyped(typed) ? [...meant, ...found] : [...found, ...meant];
}

/** Ids and queries are no names of anything here. */
const looksTyped = (typed: string): boolean =>
  typed.includes('|') || /^[\da-f-]{12,}$/i.test(typed) || /\d{5}/.test(typed);

/** All words, in any order. */
const matches = (typed: string, title: string): boolean => {
  const lower = title.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
};

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

const datasetEntries = ({ catalogue, open }: Around): readonly PaletteEntry[] =>
  (catalogue?.datasets ?? []).map(({ name }) => ({
    id: `dataset.${name}`,
    title: name,
    group: 'Dataset',
    run: () => open('/query', { q: datasetText(name) }),
  }));

const fieldEntries = ({ catalogue, open }: Around): readonly PaletteEntry[] =>
  (catalogue?.datasets ?? []).flatMap(({ name, fields }) =>
    fields.map((field) => ({
      id: `field.${name}.${field.name}`,
      title: `${field.name} in ${name}`,
      group: 'Field',
      run: () => open('/query', { q: `${datasetText(name)}\n| where isnotnull(${fieldText(field.name)})` }),
    })),
  );

/** The text as a trace, as something to look for, and as a query. */
function meanings(typed: string, { catalogue, open }: Around): readonly PaletteEntry[] {
  const datasets = catalogue?.datasets ?? [];
  const ask = (id: string, title: string, q: string): PaletteEntry => ({
    id,
    title,
    group: 'Ask',
    run: () => open('/query', { q, from: 'now-24h' }),
  });
  if (typed.includes('|') || datasets.some(({ name }) => name === typed))
    return [ask('ask.query', `Run ${typed}`, typed)];
  const traces = isTraceId(typed)
    ? spanDatasets(catalogue).map((name) => ({
        id: `ask.trace.${name}`,
        title: `Trace ${typed} in ${name}`,
        group: 'Ask',
        run: () => open(`/trace/${encodeURIComponent(name)}/${typed}`, {}),
      }))
    : [];
  const searches = datasets.map(({ name }) =>
    ask(`ask.search.${name}`, `Search the last 24 h in ${name}`, `${datasetText(name)}\n| search ${stringText(typed)}`),
  );
  return [...traces, ...searches];
}
