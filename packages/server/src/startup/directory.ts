import { join, resolve } from 'node:path';
import { openLog } from '@millrace/log';
import type { Logger } from 'pino';
import type { OpenedMetadata } from '@millrace/metadata/open-metadata';
import { isElsewhere } from '@millrace/metadata/postgres/binding-record';
import { closeSqlite, metadataName, openSqlite } from '@millrace/metadata/sqlite';
import { singleNode } from '@millrace/metadata/nodes/single-node';
import { openEngine } from './open-engine.js';
import { CloseStack } from '@millrace/runtime/async/close-stack';
import type { LockedDirectory } from './types.js';
import { version } from './version.js';
import { SettingError, type Settings } from '@millrace/http/settings/settings';

/**
 * Locks and opens a data directory: its log, which is the lock, then the metadata, and starts the
 * engine without waiting for it: it is a separate process, and this one has as much to load. The
 * engine starts after the metadata, which may show that the directory is of a newer version.
 * @param startEngine how the engine is opened
 * @throws LogError `locked` when another server uses the directory, `corrupt` when the log is
 * damaged
 */
export const lockDataDirectory = (
  settings: Settings,
  logger: Logger,
  startEngine: typeof openEngine = openEngine,
): Promise<LockedDirectory> =>
  CloseStack.run(async (opened) => {
    const log = await openLog({
      directory: resolve(settings.dataDir, 'log'),
      limits: {
        logSegmentBytes: settings.logSegmentBytes,
        maxLogBytes: settings.maxLogBytes,
        maxPendingBytes: settings.maxPendingBytes,
      },
    });
    opened.add(() => log.close());
    const metadata = await openedMetadata(settings, logger, opened);
    const engine = startEngine(settings, logger);
    opened.add(async () => (await engine.catch(() => undefined))?.close());
    // `openEvents` reports the error.
    engine.catch(() => undefined);
    return {
      metadata,
      node: singleNode(version),
      openEvents: async (base) => {
        const { openEvents } = await import('./events.js');
        return openEvents(base, { kind: 'logged', log, engine });
      },
      release: () => opened.close(),
    };
  });

async function openedMetadata(
  { dataDir, databaseUrl }: Settings,
  logger: Logger,
  opened: CloseStack,
): Promise<OpenedMetadata> {
  const directory = resolve(dataDir);
  if (databaseUrl !== undefined) {
    const { openMetadataOrFail } = await import('./open-metadata-database.js');
    const home = await openMetadataOrFail(directory, databaseUrl);
    opened.add(() => home.shared.close());
    return home;
  }
  if (isElsewhere(directory))
    throw new SettingError(
      'databaseUrl',
      `the metadata of ${directory} are in a PostgreSQL database; give its address, or begin with another directory`,
    );
  const began = performance.now();
  const sqlite = openSqlite(join(directory, metadataName), ({ from, to }) => {
    // A new file has nothing to upgrade.
    if (from === 0 || from === to) return;
    const seconds = Math.round(performance.now() - began) / 1000;
    logger.info({ from, to, program: version, seconds }, 'upgraded the metadata; older programs cannot open it');
  });
  opened.add(() => closeSqlite(sqlite));
  return { sqlite };
}
