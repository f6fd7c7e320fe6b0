import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openLog } from '@millrace/log';
import { profileOf } from '../profile.js';
import { timedOften } from '../measure-seconds.js';
import type { Context } from '../world.js';

/**
 * Measures concurrent appends that share fsyncs, against writing the same bytes to a file with one
 * fsync per 64 records.
 */
export async function measureLog(context: Context): Promise<void> {
  const { sizes, report, say } = context;
  for (const [bytes, count] of [
    [500, sizes.microEvents],
    [1_000_000, Math.ceil(sizes.microEvents / 1000)],
  ] as const) {
    say(`micro: log, ${bytes} bytes`);
    const payload = Buffer.alloc(bytes, 'event ');
    const atOnce = 64;
    const append = async (): Promise<void> => {
      const directory = join(context.directory, 'log');
      const log = await openLog({ directory });
      let left = count;
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          while (left-- > 0) await log.append([payload]).durable;
        }),
      );
      await log.close();
      await rm(directory, { recursive: true });
    };
    const write = async (): Promise<void> => {
      const path = join(context.directory, 'plain');
      const file = await open(path, 'w');
      for (let i = 0; i < count; i += atOnce) {
        await file.writev(Array.from({ length: Math.min(atOnce, count - i) }, () => payload));
        await file.datasync();
      }
      await file.close();
      await rm(path);
    };
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let run = 0; run < sizes.runs; run++) {
      ours.push(count / (await timedOften(append, sizes.microSeconds)));
      theirs.push(count / (await timedOften(write, sizes.microSeconds)));
    }
    report({
      suite: 'micro',
      name: `log append of ${bytes} bytes, ${atOnce} at once`,
      unit: '1/s',
      better: 'higher',
      ours,
      against: [{ name: 'write + fdatasync of 64', runs: theirs }],
      profile: await profileOf(join(context.resultsDirectory, 'profiles', `log-${bytes}`), () =>
        timedOften(append, sizes.microSeconds),
      ),
    });
  }
}
