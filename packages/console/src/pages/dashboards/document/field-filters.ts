import { datasetText, fieldText, stringText } from '../../../data/apl-text.js';
import { conditionText } from '../../../editor/edits.js';
import { isNumber } from '../../../rows/known-fields.js';
import type { Chart, Members } from './document.js';
import { valuesIn } from './several-values.js';
import { filtersOf, type FilterTexts, takesValues } from './filters.js';

/**
 * Filters over a field. They apply to every element whose dataset has the field, as a condition
 * added to its query. The property `field` of a filter is ours; other programs ignore it.
 */

/** Choice in such a filter: a text, or one or more values. */
export interface ChosenValue {
  /** ID of the filter. A query that declares it uses the values itself, if it takes all of them. */
  readonly id: string;
  readonly field: string;
  readonly values: readonly string[];
  readonly how: 'equals' | 'contains';
}

export const chosenValues = (charts: readonly Chart[], values: FilterTexts): readonly ChosenValue[] =>
  charts.flatMap(filtersOf).flatMap(({ id, field, kind }): readonly ChosenValue[] => {
    const text = values[id] ?? '';
    if (field === undefined || text === '') return [];
    return kind === 'search'
      ? [{ id, field, values: [text], how: 'contains' }]
      : [{ id, field, values: valuesIn(text), how: 'equals' }];
  });

/**
 * The condition for a dataset, undefined for a query that declares the filter.
 * @param type of the field in the dataset; the types of a mixed field are joined with `|`
 */
export function chosenText(apl: string, { id, field, values, how }: ChosenValue, type: string): string | undefined {
  if (takesValues(apl, id, values.length)) return undefined;
  const tests = values.map((value) => testOf(field, value, how, type) ?? 'false');
  return tests.length > 1 ? `(${tests.join(' or ')})` : tests[0];
}

function testOf(field: string, value: string, how: ChosenValue['how'], type: string): string | undefined {
  const name = fieldText(field);
  const text = type === 'string' ? name : `tostring(${name})`;
  if (how === 'contains') return `${text} contains ${stringText(value)}`;
  if (isNumber(type) && value.trim() !== '' && Number.isFinite(Number(value))) return `${name} == ${value.trim()}`;
  if (type === 'boolean' && (value === 'true' || value === 'false')) return `${name} == ${value}`;
  return type === 'datetime' ? conditionText(field, value, type, 'include') : `${text} == ${stringText(value)}`;
}

const MAX_VALUES = 100;

/** The most frequent values of a field, as the query of a filter returns them. */
const valuesQuery = (dataset: string, field: string): string =>
  `${datasetText(dataset)}
| where isnotempty(tostring(${fieldText(field)}))
| summarize count() by value = tostring(${fieldText(field)})
| top ${MAX_VALUES} by count_
| project key = value, value`;

/** A filter over a field of a dataset, with a free ID. */
export function fieldFilter(filters: readonly Members[], dataset: string, field: string): Members {
  const stem = `_${field.replaceAll(/\W+/g, '_').replace(/^_+/, '') || 'field'}`;
  const taken = new Set(filters.map(({ id }) => id));
  let id = stem;
  for (let count = 2; taken.has(id); count++) id = `${stem}_${count}`;
  return {
    id,
    name: field,
    active: true,
    field,
    type: 'select',
    selectType: 'query',
    query: { apl: valuesQuery(dataset, field) },
    options: [{ key: 'All', value: '', default: true }],
  };
}
