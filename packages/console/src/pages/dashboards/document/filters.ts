import { type Chart, flagMember, membersOf, type Members, textMember } from './document.js';
import { valuesIn, valuesText } from './several-values.js';

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
  /** Several values can be chosen. The property `multiple` of a filter is ours. */
  readonly isMultiple: boolean;
}

export interface FilterOption {
  readonly label: string;
  readonly value: string;
}

/** Choice in each filter, as text: empty for all; several values as `valuesText`. */
export type FilterTexts = Readonly<Record<string, string>>;

/** Choice in each filter, as queries receive it. */
export type FilterValues = Readonly<Record<string, FilterValue>>;

type FilterValue = string | { readonly values: readonly string[]; readonly isField: boolean };

/** Reads the texts of filters with several values as lists. */
export function filterValues(charts: readonly Chart[], texts: FilterTexts): FilterValues {
  const multiple = new Map(
    charts
      .flatMap(filtersOf)
      .filter(({ isMultiple }) => isMultiple)
      .map(({ id, field }) => [id, field !== undefined]),
  );
  return Object.fromEntries(
    Object.entries(texts).map(([id, text]) => {
      const isField = multiple.get(id);
      return [id, isField === undefined ? text : { values: valuesIn(text), isField }];
    }),
  );
}

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
            isMultiple:
              filter['type'] !== 'search' &&
              (textMember(filter, 'field') !== undefined || flagMember(filter, 'multiple') === true),
          },
        ];
      });

/** Initial value of each filter: the default option, or empty. */
export function defaultsOf(charts: readonly Chart[]): FilterTexts {
  const values: Record<string, string> = {};
  for (const chart of charts)
    for (const filter of listOf(chart.type === 'SmartFilter' ? chart['filters'] : undefined)) {
      const id = textMember(filter, 'id');
      const chosen = listOf(filter['options']).find((option) => option['default'] === true);
      if (id !== undefined) values[id] = String(chosen?.['value'] ?? '');
    }
  return values;
}

const DECLARED = /declare\s+query_parameters\s*\(((?:[^()]|\([^()]*\))*)\)/gi;

/** Parameters that a query declares, with their types. */
const declaredIn = (apl: string): readonly (readonly [name: string, type: string])[] =>
  [...apl.matchAll(DECLARED)].flatMap(([, list = '']) =>
    [...list.matchAll(/([\w-]+)\s*:\s*(\w+)/g)].map(([, name, type]) => [name!, type!] as const),
  );

/**
 * Whether a query uses the chosen values itself. A text has room for one of them: with several the
 * filter is a condition instead.
 */
export const takesValues = (apl: string, id: string, count: number): boolean =>
  declaredIn(apl).some(([name, type]) => name === id && (type === 'dynamic' || count <= 1));

/** Values that a query declares as parameters; others would make equal queries look different. */
export function variablesFor(apl: string, values: FilterValues): Readonly<Record<string, string | readonly string[]>> {
  return Object.fromEntries(
    declaredIn(apl)
      .filter(([name]) => Object.hasOwn(values, name))
      .map(([name, type]) => [name, variableOf(values[name]!, type)]),
  );
}

function variableOf(value: FilterValue, type: string): string | readonly string[] {
  const values = typeof value === 'string' ? valuesIn(value) : value.values;
  if (type === 'dynamic') return typeof value === 'string' && value !== '' ? [value] : values;
  if (typeof value === 'string') return value;
  // Of a filter over a field, several values are a condition of the query.
  return value.isField && values.length > 1 ? '' : values.length > 1 ? valuesText(values) : (values[0] ?? '');
}
