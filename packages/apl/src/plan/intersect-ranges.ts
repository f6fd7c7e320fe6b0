import type { TimeRange } from './nodes.js';

/** The part of a range that lies inside another; all of it if there is no other. */
export function intersectRanges(range: TimeRange, other: TimeRange | undefined): TimeRange {
  if (other === undefined) return range;
  return {
    start: other.start > range.start ? other.start : range.start,
    end: other.end < range.end ? other.end : range.end,
  };
}
