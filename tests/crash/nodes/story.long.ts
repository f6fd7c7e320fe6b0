import { expect, it } from 'vitest';
import { openPlaces } from './places.ts';
import { Story } from './story.ts';

/** `npm run crash -- --nodes`: three nodes are killed, paused and cut off again and again. */

const cycles = Number(process.env['CRASH_CYCLES'] ?? 20);
const seed = Number(process.env['CRASH_SEED'] ?? 1);

it(
  `${cycles} strikes at three nodes`,
  async () => {
    const places = await openPlaces();
    try {
      const progress = (line: string): void => console.log(line);
      const { tally } = await Story.tell({ places, cycles, seed, progress });
      console.log(tally.summary(cycles));
      expect(tally.violations, places.nodes.map((node) => node.output().slice(-3000)).join('\n')).toEqual([]);
    } finally {
      await places.end();
    }
  },
  120_000 + cycles * 120_000,
);
