import { basename } from 'node:path';
import { humanBytes } from '@millrace/http/settings/setting-units';
import { command } from '../../command/command.js';
import { writeRecords } from '../../render/records.js';
import { formatCount } from '../../render/quantity.js';
import { logFailure, logOf } from './directory.js';

export const logVerify = command({
  name: 'log verify',
  summary: 'Check a log for corruption.',
  description:
    'Changes nothing. Stop the server first: while it writes, the newest segment can look torn. A torn end is a ' +
    'write that was never acknowledged, which the next start cuts off; anything else that is not sound is damage, exit code 1.',
  args: { dir: { doc: 'Data directory of a server, or its log.' } },
  options: { json: { type: 'flag', doc: 'Write JSON, also in a terminal.' } },
  examples: [{ command: 'millrace log verify ./data', doc: 'After a failed start' }],
  run: async ({ io, args, options }) => {
    const { verifyLog } = await import('@millrace/log');
    const segments = await verifyLog(await logOf(args.dir)).catch(logFailure);
    const shown = segments.map((segment) => ({
      ...segment,
      firstPosition: segment.firstPosition?.toString(),
      lastPosition: segment.lastPosition?.toString(),
    }));
    await writeRecords(
      io,
      shown,
      [
        { title: 'segment', whole: true, of: ({ file }) => basename(file) },
        { title: 'state', of: ({ state }) => state },
        { title: 'frames', right: true, of: ({ frames }) => formatCount(frames) },
        { title: 'first', right: true, of: ({ firstPosition = '' }) => firstPosition },
        { title: 'last', right: true, of: ({ lastPosition = '' }) => lastPosition },
        { title: 'bytes', right: true, of: ({ bytes }) => humanBytes(bytes) },
        {
          title: 'problem',
          of: ({ reason, offset }) => (reason === undefined ? '' : `byte ${offset ?? 0}: ${reason}`),
        },
      ],
      options.json,
    );
    return segments.every(({ state }) => state === 'sound' || state === 'torn') ? 'done' : 'failed';
  },
});
