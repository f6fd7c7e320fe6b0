import { membersOf, type Members, textMember } from './document.js';

/** Changes of a filter in a document; what they do not concern stays as it is. */

export const filterKinds = [
  { id: 'search', title: 'a text that is typed' },
  { id: 'list', title: 'one of some values' },
  { id: 'query', title: 'one of the values that a query finds' },
] as const;

type FilterKind = (typeof filterKinds)[number]['id'];

export const filterKind = (filter: Members): FilterKind =>
  filter['type'] === 'search'
    ? 'search'
    : textMember(membersOf(filter[aplPathOf(filter)[0]]), 'apl') !== undefined || filter['selectType'] === 'query'
      ? 'query'
      : 'list';

/** Where its query is: older documents have it in another place. */
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

/** Values out of lines; those that were there keep what else they have. */
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

/** One more filter, under an id that no other has. */
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
