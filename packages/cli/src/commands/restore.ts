import { command } from '../command/command.js';
import { Failure, messageOf } from '../failure.js';

export const restore = command({
  name: 'restore',
  summary: 'Make the data directory of a server from a backup.',
  description:
    'The directory appears when it is complete, or not at all; then start a server on it. Tokens are those of the backup. ' +
    'Every file of the backup is checked first.',
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
    const progress = (message: string): void => void io.err.write(`${message}\n`);
    try {
      await restoreBackup({ backup, dataDir, progress });
    } catch (error) {
      throw new Failure('failed', messageOf(error), { cause: error });
    }
    await io.out.write(`${dataDir} is ready: millrace serve --data-dir ${dataDir}\n`);
    return 'done';
  },
});
