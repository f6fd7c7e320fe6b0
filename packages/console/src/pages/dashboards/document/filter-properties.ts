import { membersOf, type Members, textMember } from './document.js';

/** Filter edits in a document. Everything else stays unchanged. */

export const filterKinds = [
  { id: 'search', title: 'Text box' },
  { id: 'list', title: 'Fixed list' },
  { id: 'query', title: 'Query' },
] as const;

type FilterKind = (typeof filterKinds)[number]['id'];

export const filterKind = (filter: Members): FilterKind =>
  filter['type'] === 'search'
    ? 'search'
    : textMember(membersOf(filter[aplPathOf(filter)[0]]), 'apl') !== undefined || filter['selectType'] === 'query'
      ? 'query'
      : 'list';

/** Location of its query, which differs in older documents. */
export const aplPathOf = (filter: Members): readonly ['query' | 'apl', 'apl'] =>
  textMember(membersOf(filter['apl']), 'apl') !== undefined ? ['apl', 'apl'] : ['query', 'apl'];

export function withFilterKind(filter: Members, kind: FilterKind): Members {
  if (kind === 'search') return { ...filter, type: 'search' };
  const { query: _, apl: __, ...listed } = filter;
  return kind === 'list'
    ? { ...listed, type: 'select', selectType: 'list' }
    : { ...filter, type: 'select', selectType: 'query', query: { apl: '', ...membersOf(filter['query']) } };
}

const optionsOf = ({ options }: Members): readonly Members[] => (Array.isArray(options) ? options.map(membersOf) : []);

const lineOf = ({ key, value }: Members): string =>
  key === value ? String(value ?? '') : `${String(key ?? '')} = ${String(value ?? '')}`;

/** Its values as lines of text. */
export const optionLines = (filter: Members): string => optionsOf(filter).map(lineOf).join('\n');

/** Parses values from lines; existing ones keep their other properties. */
export function withOptionLines(filter: Members, text: string): Members {
  const before = new Map(optionsOf(filter).map((option) => [lineOf(option).trim(), option]));
  const options = text.split('\n').flatMap((each) => {
    const line = each.trim();
    if (line === '') return [];
    const [, key = line, value = line] = /^(.*?)\s*=\s*(.*)$/.exec(line) ?? [];
    return [before.get(line) ?? { key, value, default: value === '' }];
  });
  return { ...filter, options };
}

/** Adds a filter with a free ID. */
export function freshFilter(filters: readonly Members[]): Members {
  const taken = new Set(filters.map(({ id }) => id));
  let count = 1;
  while (taken.has(`_filter${count}`)) count++;
  return {
    id: `_filter${count}`,
    name: `Filter ${count}`,
    active: true,
    type: 'select',
    selectType: 'list',
    options: [{ key: 'All', value: '', default: true }],
  };
}
