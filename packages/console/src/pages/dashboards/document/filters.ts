import { type Chart, membersOf, type Members, textMember } from './document.js';

/** A filter in a filter bar: a search, or a choice of values from the document or a query. */
export interface Filter {
  readonly id: string;
  readonly name: string;
  readonly kind: 'search' | 'select';
  readonly options: readonly FilterOption[];
  /** Query for further options. */
  readonly apl: string | undefined;
  /** The field whose values it is about, for a filter without a variable in queries. */
  readonly field: string | undefined;
}

interface FilterOption {
  readonly label: string;
  readonly value: string;
}

export type FilterValues = Readonly<Record<string, string>>;

export const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(membersOf) : []);

/** Filters of a filter bar; those without an ID are unusable and omitted. */
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
            field: textMember(filter, 'field'),
          },
        ];
      });

/** Initial value of each filter: the default option, or empty. */
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

/** Values that a query declares as parameters; others would make equal queries look different. */
export function variablesFor(apl: string, values: FilterValues): FilterValues {
  const declared = [...apl.matchAll(DECLARED)].flatMap(([, list = '']) =>
    [...list.matchAll(/([\w-]+)\s*:/g)].map(([, name]) => name!),
  );
  return Object.fromEntries(declared.filter((name) => name in values).map((name) => [name, values[name]!]));
}
