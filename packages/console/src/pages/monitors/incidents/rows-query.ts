import { fieldText, stringText } from '../../../data/apl-text.js';
import type { Incident } from './timeline.js';

/**
 * The query of the events that a run read: without its aggregation, and of one group.
 * @param eventsEnd end of the operators that keep rows events
 * @param fields of the dataset: a group of a computed value is no condition
 */
export function rowsQuery(
  query: string,
  eventsEnd: number,
  { keys, values }: Pick<Incident, 'keys' | 'values'>,
  fields: ReadonlySet<string>,
): string {
  const conditions = keys.flatMap((key, index) => {
    const value = values[index];
    if (!fields.has(key)) return [];
    if (value === null || value === undefined) return [`isnull(${fieldText(key)})`];
    return [`${fieldText(key)} == ${typeof value === 'string' ? stringText(value) : String(value)}`];
  });
  const events = query.slice(0, eventsEnd).trimEnd();
  return conditions.length === 0 ? events : `${events}\n| where ${conditions.join(' and ')}`;
}
