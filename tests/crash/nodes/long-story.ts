import { expect, it, onTestFinished } from 'vitest';
import type { Scene } from './scene.ts';
import { Story } from './story.ts';

const cycles = Number(process.env['CRASH_CYCLES'] ?? 20);
const seed = Number(process.env['CRASH_SEED'] ?? 1);

/** The longest on a machine that has much else to do. */
const cycleMilliseconds = 900_000;
const endMilliseconds = 120_000;

/** An opened scene of a story. */
interface OpenedScene {
  readonly scene: Scene;
  /** @param keep whether to keep the files for inspection */
  end(keep: boolean): Promise<void>;
}

/** Registers a story as a test, with the number of cycles from the command line. */
export function longStory(of: string, open: () => Promise<OpenedScene>): void {
  it(
    `${cycles} ${of}`,
    async () => {
      const { scene, end } = await open();
      let isWell = false;
      // Also when it takes too long.
      onTestFinished(() => end(!isWell), endMilliseconds);
      const progress = (line: string): void => console.log(line);
      const { tally } = await Story.tell({ scene, cycles, seed, progress });
      console.log(tally.summary(cycles));
      expect(tally.violations, scene.nodes.map((node) => node.output().slice(-3000)).join('\n')).toEqual([]);
      isWell = true;
    },
    (cycles + 1) * cycleMilliseconds,
  );
}
