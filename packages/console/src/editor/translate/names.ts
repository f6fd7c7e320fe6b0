import { fieldText } from '../../data/apl-text.js';
import type { SearchField } from '../search-terms.js';

/** Usual names of an event's time in other systems, without case. */
const TIME_NAMES = new Set(['time', 'timestamp', '@timestamp', 'ts', 'datetime', 'event_time', 'eventtime', '__time']);

/** A name in APL, and whether it is the time of the event. */
export interface AplName {
  readonly apl: string;
  readonly isTime: boolean;
}

/** Reads names as fields of a dataset: as written, in other case, or as the event's time. */
export function namesOf(fields: readonly SearchField[] | undefined): (name: string) => AplName {
  return (name) => {
    const lower = name.toLowerCase();
    const found =
      fields?.find((each) => each.name === name) ?? fields?.find((each) => each.name.toLowerCase() === lower);
    if (found === undefined && (TIME_NAMES.has(lower) || lower === '_time')) return { apl: '_time', isTime: true };
    return { apl: fieldText(found?.name ?? name), isTime: found?.name === '_time' || found?.type === 'datetime' };
  };
}
