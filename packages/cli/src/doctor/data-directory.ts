import { constants } from 'node:fs';
import { access, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '../system-errors.js';
import { type Check, ok, problem, sizeText, warning } from './check.js';

const canUse = constants.R_OK | constants.W_OK | constants.X_OK;

/** The directory, or the closest one above it that exists: there it would be created. */
async function existing(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined || dirname(path) === path ? path : existing(dirname(path));
}

export const dataDirectory: Check = {
  title: 'data directory',
  find: async ({ dataDir }) => {
    const path = resolve(dataDir);
    const found = await existing(path);
    try {
      if (!(await stat(found)).isDirectory())
        return problem(`${found} is a file`, 'choose another directory with --data-dir');
      await access(found, canUse);
    } catch (error) {
      return problem(messageOf(error), 'make it writable for this user, or choose another with --data-dir');
    }
    return ok(found === path ? path : `${path}, which the first start creates`);
  },
};

/** With less, ingest soon answers 503. */
const littleSpace = 2 ** 30;

export const disk: Check = {
  title: 'disk',
  find: async ({ dataDir }) => {
    try {
      const { bavail, bsize } = await statfs(await existing(resolve(dataDir)));
      const text = `${sizeText(bavail * bsize)} free`;
      return bavail * bsize < littleSpace
        ? warning(text, 'free some, or choose another directory with --data-dir; events are rejected when it is full')
        : ok(text);
    } catch (error) {
      return problem(messageOf(error), 'choose another directory with --data-dir');
    }
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
