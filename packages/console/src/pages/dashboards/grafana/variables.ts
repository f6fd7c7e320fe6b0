import { datasetText, fieldText } from '../../../data/apl-text.js';
import { membersOf, type Members, textMember } from '../document/document.js';
import { listOf } from './documents.js';

/** Variables of a dashboard as filters with the ID `_name`, which translated queries declare. */

/** The field whose values a variable lists: `label_values({…}, app)`, `{"field":"app"}`. */
function fieldOf(variable: Members): string | undefined {
  const { query } = variable;
  const members = membersOf(query);
  const own = textMember(members, 'label') ?? textMember(members, 'field');
  const text = typeof query === 'string' ? query : (textMember(members, 'query') ?? '');
  const byCall = /^\s*label_values\s*\(\s*(?:.*,)?\s*([\w.]+)\s*\)\s*$/s.exec(text)?.[1];
  const byTerms = /"field"\s*:\s*"([^"]+)"/.exec(text)?.[1];
  return (own ?? byCall ?? byTerms)?.replace(/\.keyword$/, '');
}

const valuesQuery = (dataset: string, field: string): string =>
  `${datasetText(dataset)}\n| summarize count() by value = tostring(${fieldText(field)})\n| where isnotempty(value)\n| top 100 by count_\n| project key = value, value`;

const every = { key: 'All', value: '', default: true };

/** Without those that only choose a data source or an interval. */
export function filtersOf(
  variables: readonly Members[],
  dataset: string,
): { readonly filters: readonly Members[]; readonly left: readonly string[] } {
  const left: string[] = [];
  const filters = variables.flatMap((variable) => {
    const name = textMember(variable, 'name') ?? '';
    const type = textMember(variable, 'type') ?? '';
    const common = { id: `_${name}`, name: textMember(variable, 'label') ?? name, active: true };
    if (name === '' || ['datasource', 'interval', 'constant'].includes(type)) return [];
    if (type === 'textbox') return [{ ...common, type: 'search', selectType: 'list', options: [] }];
    if (type === 'custom') return [{ ...common, type: 'select', selectType: 'list', options: optionsOf(variable) }];
    const field = type === 'query' ? fieldOf(variable) : undefined;
    if (field === undefined) {
      left.push(name);
      return [];
    }
    const query = { apl: valuesQuery(dataset, field) };
    return [{ ...common, type: 'select', selectType: 'query', query, options: [every] }];
  });
  return { filters, left };
}

function optionsOf(variable: Members): readonly Members[] {
  const listed = listOf(variable['options']).map(({ text, value }) => [String(text ?? value), String(value)] as const);
  const typed = (textMember(variable, 'query') ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => {
      const [key, value = key] = each.split(/\s+:\s+/);
      return [key!, value!] as const;
    });
  const values = (listed.length > 0 ? listed : typed).filter(([, value]) => value !== '$__all');
  return [every, ...values.map(([key, value]) => ({ key, value }))];
}
