import { expect, it } from 'vitest';
import { overOneServer } from './one-server-scene.ts';
import { openPlaces } from './places.ts';
import { openReplicatedPlaces } from './replicated-places.ts';
import { overReplicas } from './replicated-scene.ts';
import type { Scene } from './scene.ts';
import { Story } from './story.ts';

/** `npm run crash -- --nodes`: three nodes are killed, paused and cut off again and again. */

const cycles = Number(process.env['CRASH_CYCLES'] ?? 20);
const seed = Number(process.env['CRASH_SEED'] ?? 1);
const shards = Number(process.env['CRASH_SHARDS'] ?? 1);

async function opened(): Promise<{ readonly scene: Scene; end(keep: boolean): Promise<void> }> {
  if (process.env['CRASH_OVER'] !== 'replicas') {
    const places = await openPlaces(3, {}, shards);
    return { scene: overOneServer(places), end: () => places.end() };
  }
  const places = await openReplicatedPlaces({ shards });
  return { scene: overReplicas(places), end: (keep) => places.end(keep) };
}

it(
  `${cycles} strikes at three nodes`,
  async () => {
    const { scene, end } = await opened();
    let isWell = false;
    try {
      const progress = (line: string): void => console.log(line);
      const { tally } = await Story.tell({ scene, cycles, seed, progress });
      console.log(tally.summary(cycles));
      expect(tally.violations, scene.nodes.map((node) => node.output().slice(-3000)).join('\n')).toEqual([]);
      isWell = true;
    } finally {
      await end(!isWell);
    }
  },
  120_000 + cycles * 300_000,
);
