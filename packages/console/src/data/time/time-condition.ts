import { instantText } from './instants.js';
import type { Bounds } from './ranges.js';

/** APL condition for a time range, both ends inclusive. */
export const timeCondition = ({ start, end }: Bounds): string =>
  `_time between (datetime(${instantText(start)}) .. datetime(${instantText(end)}))`;
