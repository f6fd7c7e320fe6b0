import { type Chart, membersOf, type Members, textMember } from './document.js';

/**
 * A filter of a filter bar: a search, or one of several values that the document lists or a query
 * gives.
 */
export interface Filter {
  readonly id: string;
  readonly name: string;
  readonly kind: 'search' | 'select';
  readonly options: readonly FilterOption[];
  /** The query that gives further options. */
  readonly apl: string | undefined;
}

interface FilterOption {
  readonly label: string;
  readonly value: string;
}

export type FilterValues = Readonly<Record<string, string>>;

const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(membersOf) : []);

/** The filters of a filter bar; those without an id cannot be used, and are left out. */
export const filtersOf = (chart: Chart): readonly Filter[] =>
  chart.type !== 'SmartFilter'
    ? []
    : listOf(chart['filters']).flatMap((filter) => {
        const id = textMember(filter, 'id');
        if (id === undefined || filter['active'] === false) return [];
        const query = ['query', 'apl'].map((name) => textMember(membersOf(filter[name]), 'apl')).find(Boolean);
        return [
          {
            id,
            name: textMember(filter, 'name') ?? id,
            kind: filter['type'] === 'search' ? ('search' as const) : ('select' as const),
            options: listOf(filter['options']).map(({ key, value }) => ({
              label: String(key ?? value ?? ''),
              value: String(value ?? ''),
            })),
            apl: query,
          },
        ];
      });

/** What each filter has when a board opens: the option that the document marks, or nothing. */
export function defaultsOf(charts: readonly Chart[]): FilterValues {
  const values: Record<string, string> = {};
  for (const chart of charts)
    for (const filter of listOf(chart.type === 'SmartFilter' ? chart['filters'] : undefined)) {
      const id = textMember(filter, 'id');
      const chosen = listOf(filter['options']).find((option) => option['default'] === true);
      if (id !== undefined) values[id] = String(chosen?.['value'] ?? '');
    }
  return values;
}

const DECLARED = /declare\s+query_parameters\s*\(([^)]*)\)/gi;

/** Those values that a query declares: the others would only make equal queries look different. */
export function variablesFor(apl: string, values: FilterValues): FilterValues {
  const declared = [...apl.matchAll(DECLARED)].flatMap(([, list = '']) =>
    [...list.matchAll(/([\w-]+)\s*:/g)].map(([, name]) => name!),
  );
  return Object.fromEntries(declared.filter((name) => name in values).map((name) => [name, values[name]!]));
}
