import { textOf } from '../../../data/results/cells.js';
import type { Answer } from '../../../data/results/results.js';
import type { Filter, FilterOption } from './filters.js';

/** Options of a filter: its own, and the rows of its query. */
export function filterOptions(filter: Filter, answer: Answer | undefined): readonly FilterOption[] {
  const column = (name: string, other: number): readonly string[] => {
    const at = answer?.table.head.fields.findIndex((field) => field.name === name) ?? -1;
    return (answer?.table.columns[at < 0 ? other : at] ?? []).map(textOf);
  };
  const [labels, values] = [column('key', 0), column('value', 0)];
  const found = [...filter.options, ...values.map((value, row) => ({ label: labels[row] || value, value }))];
  // Of duplicate values the first counts and keeps its position.
  const unique = new Map<string, FilterOption>();
  for (const option of found) if (!unique.has(option.value)) unique.set(option.value, option);
  return [...unique.values()];
}
