import { humanBytes } from '@millrace/server/units';
import { command } from '../command/command.js';
import { Failure } from '../failure.js';
import { messageOf } from '../system-errors.js';
import { styled } from '../io.js';
import { keepFilesPrivate } from '../private-files.js';
import { printable } from '../render/width.js';

export const restore = command({
  name: 'restore',
  summary: 'Make the data directory of a server from a backup.',
  description:
    'The directory appears when it is complete, or not at all; then start a server on it. Tokens are those of the backup. ' +
    'Every file of the backup is checked first. The events go into an embedded engine, also those of a server whose engine was a ClickHouse elsewhere.',
  args: { backup: { doc: 'Directory that millrace backup wrote.' } },
  options: {
    dataDir: {
      type: 'text',
      metavar: 'DIR',
      required: true,
      doc: 'Data directory to make; empty or not there yet.',
    },
  },
  examples: [
    { command: 'millrace restore /backups/2026-11-20 --data-dir /var/lib/millrace', doc: 'On another machine' },
  ],
  run: async ({ io, args, options }) => {
    const { restoreBackup } = await import('@millrace/server/offline');
    const { backup } = args;
    const { dataDir } = options;
    keepFilesPrivate();
    const elsewhere = (io.env['MILLRACE_CLICKHOUSE_URL'] ?? '') !== '';
    // The start would refuse the directory, but only after a restore that may have taken hours.
    if (elsewhere)
      await io.err.write(
        `${styled(io.err, 'yellow', 'warning:')} MILLRACE_CLICKHOUSE_URL is set, but a restored directory has its events in an embedded engine: start the server on it ` +
          'without that setting. From there, millrace export and millrace ingest bring events into ClickHouse\n',
      );
    const progress = (dataset: string, bytes: number): void =>
      void io.err.write(`${printable(dataset)}: ${humanBytes(bytes)}\n`);
    try {
      await restoreBackup({ backup, dataDir, progress });
    } catch (error) {
      throw new Failure('failed', messageOf(error), { cause: error });
    }
    const serve = `${elsewhere ? 'MILLRACE_CLICKHOUSE_URL= ' : ''}millrace serve --data-dir ${dataDir}`;
    await io.out.write(`${dataDir} is ready: ${serve}\n`);
    return 'done';
  },
});
