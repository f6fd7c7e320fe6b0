import { join, resolve } from 'node:path';
import { openLog } from '@millrace/log';
import type { Logger } from 'pino';
import type { OpenedMetadata } from '../metadata/open-metadata.js';
import { isElsewhere } from '../metadata/postgres/home-record.js';
import { closeSqlite, metadataName, openSqlite } from '../metadata/sqlite.js';
import { alone } from '../nodes/alone.js';
import { openEngine } from './open-engine.js';
import { Opened } from '../async/opened.js';
import type { HeldDirectory } from './parts.js';
import { version } from './version.js';
import { SettingError, type Settings } from '../settings/settings.js';

/**
 * Takes a data directory: opens the log in it, which is the lock as well, then the file of the
 * metadata, and begins to start the engine. The engine is not waited for: it is a process of its
 * own, and there is as much to load in this one. It comes after the metadata, which say whether the
 * directory is of a newer version.
 * @param startEngine how the engine is opened
 * @throws LogError `locked` when another server has the directory, `corrupt` when the log is
 * damaged
 */
export const takeDirectory = (
  settings: Settings,
  logger: Logger,
  startEngine: typeof openEngine = openEngine,
): Promise<HeldDirectory> =>
  Opened.during(async (opened) => {
    const log = await openLog({
      directory: resolve(settings.dataDir, 'log'),
      limits: {
        logSegmentBytes: settings.logSegmentBytes,
        maxLogBytes: settings.maxLogBytes,
        maxPendingBytes: settings.maxPendingBytes,
      },
    });
    opened.add(() => log.close());
    const metadata = await openedMetadata(settings, opened);
    const engine = startEngine(settings, logger);
    opened.add(async () => (await engine.catch(() => undefined))?.close());
    // Whoever opens the events hears why it did not start.
    engine.catch(() => undefined);
    return {
      metadata,
      node: alone(version),
      openEvents: async (base) => {
        const { openEvents } = await import('./events.js');
        return openEvents(base, { kind: 'logged', log, engine });
      },
      release: () => opened.close(),
    };
  });

async function openedMetadata({ dataDir, databaseUrl }: Settings, opened: Opened): Promise<OpenedMetadata> {
  const directory = resolve(dataDir);
  if (databaseUrl !== undefined) {
    const { openHomeOrSay } = await import('./open-home.js');
    const home = await openHomeOrSay(directory, databaseUrl);
    opened.add(() => home.shared.close());
    return home;
  }
  if (isElsewhere(directory))
    throw new SettingError(
      'databaseUrl',
      `the metadata of ${directory} are in a PostgreSQL database; give its address, or begin with another directory`,
    );
  const sqlite = openSqlite(join(directory, metadataName));
  opened.add(() => closeSqlite(sqlite));
  return { sqlite };
}
