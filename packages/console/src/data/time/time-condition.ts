import { instantText } from './instants.js';
import type { Bounds } from './ranges.js';

/** That an event is of a time, both ends included, in APL. */
export const timeCondition = ({ start, end }: Bounds): string =>
  `_time between (datetime(${instantText(start)}) .. datetime(${instantText(end)}))`;
