import type { Command } from '../commands.js';
import { nowInstant } from './instants.js';
import { boundsOf, type Range, rangeOf, shiftRange, zoom } from './ranges.js';

/** Zooms in or out by a factor of two around the middle. */
export function zoomedRange(range: Range, factor: 0.5 | 2): Range | undefined {
  const bounds = boundsOf(range, nowInstant());
  return bounds && rangeOf(zoom(bounds, factor));
}

function shiftedRange(range: Range, by: 1 | -1): Range | undefined {
  const bounds = boundsOf(range, nowInstant());
  return bounds && rangeOf(shiftRange(bounds, by));
}

/** Keyboard shortcuts that shift and zoom the range of a page. */
export function rangeCommands(group: string, range: Range, onRange: (range: Range) => void): readonly Command[] {
  const command = (id: string, title: string, key: string, next: () => Range | undefined): Command => ({
    id: `range.${id}`,
    title,
    group,
    keys: [key],
    run: () => {
      const found = next();
      if (found !== undefined) onRange(found);
    },
  });
  return [
    command('earlier', 'Shift range back', ',', () => shiftedRange(range, -1)),
    command('later', 'Shift range forward', '.', () => shiftedRange(range, 1)),
    command('in', 'Zoom in', '+', () => zoomedRange(range, 0.5)),
    command('out', 'Zoom out', '-', () => zoomedRange(range, 2)),
  ];
}
