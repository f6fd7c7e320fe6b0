import type { Command } from '../commands.js';
import { nowInstant } from './instants.js';
import { boundsOf, type Range, rangeOf, shifted, zoomed } from './ranges.js';

/** Around the middle of the present range, twice as near or half as near. */
export function zoomedRange(range: Range, factor: 0.5 | 2): Range | undefined {
  const bounds = boundsOf(range, nowInstant());
  return bounds && rangeOf(zoomed(bounds, factor));
}

function shiftedRange(range: Range, by: 1 | -1): Range | undefined {
  const bounds = boundsOf(range, nowInstant());
  return bounds && rangeOf(shifted(bounds, by));
}

/** Earlier, later, nearer and farther by key, on every page that has a range. */
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
    command('earlier', 'Earlier by the length of the range', ',', () => shiftedRange(range, -1)),
    command('later', 'Later by the length of the range', '.', () => shiftedRange(range, 1)),
    command('in', 'Zoom in', '+', () => zoomedRange(range, 0.5)),
    command('out', 'Zoom out', '-', () => zoomedRange(range, 2)),
  ];
}
