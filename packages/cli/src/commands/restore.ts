import { humanBytes } from '@millrace/http/settings/setting-units';
import { command } from '../command/command.js';
import { Failure, usage } from '../failure.js';
import { messageOf } from '../system-errors.js';
import { type Io, styleText } from '../io.js';
import { keepFilesPrivate } from '../private-files.js';
import { escapeControls } from '../render/width.js';
import { jsonOption } from './json-option.js';
import { settingsIn } from '../serving/parse-settings.js';

export const restore = command({
  name: 'restore',
  summary: 'Restore a backup into a new data directory.',
  description:
    'The directory appears when it is complete, or not at all; then start a server on it. Tokens are those of the backup. ' +
    'Every file of the backup is checked first. The events go into an embedded engine, also those of a server whose engine was a ClickHouse elsewhere. ' +
    'With --nodes they go into the ClickHouse and the PostgreSQL database that several nodes are to share, which are those of the environment, as for the nodes, and have to be empty.',
  args: { backup: { doc: 'Directory that millrace backup wrote.' } },
  options: {
    dataDir: {
      type: 'text',
      metavar: 'DIR',
      required: true,
      doc: 'Data directory to make; empty or not there yet. With --nodes nothing stays there: the events are made ready beside it, which takes as much room as they need.',
    },
    nodes: { type: 'flag', doc: 'Into what several nodes share. If it is interrupted, run it again.' },
    json: jsonOption,
  },
  examples: [
    { command: 'millrace restore /backups/2026-11-20 --data-dir /var/lib/millrace', doc: 'On another machine' },
    { command: 'millrace restore /backups/2026-11-20 --data-dir /tmp/millrace --nodes', doc: 'For several nodes' },
  ],
  run: async ({ io, args, options }) => {
    const { backup } = args;
    const { dataDir, nodes, json } = options;
    keepFilesPrivate();
    const progress = (dataset: string, bytes: number): void =>
      void io.err.write(`${escapeControls(dataset)}: ${humanBytes(bytes)}\n`);
    if (nodes) return intoNodes({ backup, dataDir, progress, json }, io);
    const { restoreBackup } = await import('@millrace/server/startup/offline');
    const elsewhere = (io.env['MILLRACE_CLICKHOUSE_URL'] ?? '') !== '';
    // Startup would reject the directory, but only after a restore of possibly hours.
    if (elsewhere)
      await io.err.write(
        `${styleText(io.err, 'yellow', 'warning:')} MILLRACE_CLICKHOUSE_URL is set, but a restored directory has its events in an embedded engine: start the server on it ` +
          'without that setting. From there, millrace export and millrace ingest bring events into ClickHouse\n',
      );
    try {
      await restoreBackup({ backup, dataDir, progress });
    } catch (error) {
      throw new Failure('failed', messageOf(error), { cause: error });
    }
    const serve = `${elsewhere ? 'MILLRACE_CLICKHOUSE_URL= ' : ''}millrace serve --data-dir ${dataDir}`;
    await io.out.write(json ? `${JSON.stringify({ dataDir, serve })}\n` : `${dataDir} is ready: ${serve}\n`);
    return 'done';
  },
});

interface RestoreOptions {
  readonly backup: string;
  readonly dataDir: string;
  readonly json: boolean;
  readonly progress: (dataset: string, bytes: number) => void;
}

async function intoNodes(
  { backup, dataDir, progress, json }: RestoreOptions,
  io: Pick<Io, 'env' | 'err' | 'out'>,
): Promise<'done'> {
  const [{ readSettings }, { restoreIntoNodes }] = await Promise.all([
    import('@millrace/server'),
    import('@millrace/server/startup/offline'),
  ]);
  const read = readSettings({ ...settingsIn(io.env), MILLRACE_NODES: 'shared', MILLRACE_DATA_DIR: dataDir }, []);
  if (!read.ok) throw usage(read.errors.join('\nmillrace: '));
  const { settings } = read;
  const refused = await restoreIntoNodes({ backup, settings, progress }).catch((error: unknown) => {
    throw new Failure('failed', messageOf(error), { cause: error });
  });
  if (refused > 0)
    await io.err.write(
      `${styleText(io.err, 'yellow', 'warning:')} ${refused} batches that the engine of the backed up server refused are not among the events; nodes do not try them again\n`,
    );
  await io.out.write(
    json
      ? `${JSON.stringify({ refusedBatches: refused })}\n`
      : 'The databases are ready: start the nodes, with MILLRACE_NODES=shared and the same addresses.\n',
  );
  return 'done';
}
