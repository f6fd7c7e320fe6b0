import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { closestExisting } from '../serving/closest-directory.js';
import { directoryProblem, freeBytes, remedyOf, spaceProblem } from '../serving/directory-problem.js';
import { type Check, ok, problem, sizeText, warning } from './check.js';

export const dataDirectory: Check = {
  title: 'data directory',
  find: async ({ dataDir }) => {
    const path = resolve(dataDir);
    const found = await directoryProblem(path);
    if (found !== undefined) return problem(found.text, remedyOf(found));
    return ok((await closestExisting(path)) === path ? path : `${path}, which the first start creates`);
  },
};

/** With less, ingest soon answers 503. */
const littleSpace = 2 ** 30;

export const disk: Check = {
  title: 'disk',
  find: async (settings) => {
    const full = await spaceProblem(settings);
    if (full !== undefined) return problem(full.text, remedyOf(full));
    const free = await freeBytes(resolve(settings.dataDir));
    if (free === undefined) return undefined;
    const text = `${sizeText(free)} free`;
    return free < littleSpace
      ? warning(text, 'free some, or choose another directory with --data-dir; events are rejected when it is full')
      : ok(text);
  },
};

/** Files are written all the time; a clock this much behind them was set back. */
const tolerance = 60_000;

export const clock: Check = {
  title: 'clock',
  find: async ({ dataDir }) => {
    const now = Date.now();
    const text = new Date(now).toISOString();
    const path = resolve(dataDir);
    const names = await readdir(path).catch(() => []);
    const times = await Promise.all(
      names.map((name) =>
        stat(join(path, name)).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      ),
    );
    const newest = Math.max(0, ...times);
    return newest > now + tolerance
      ? warning(
          `${text}, but files were written at ${new Date(newest).toISOString()}`,
          'set the clock, for example with NTP: events without a time get the time of the server',
        )
      : ok(text);
  },
};
