import { command } from '../../command/command.js';
import { pluralize } from '../../render/quantity.js';
import { logFailure, logOf } from './directory.js';

export const logSalvage = command({
  name: 'log salvage',
  summary: 'Recover intact frames of a damaged log into a new one.',
  description:
    'Stop the server first. The damaged log is only read. Lost parts are listed; exit code 1 means that there are some. ' +
    'Then replace the old directory with the new one (keep the old one) and start the server.',
  args: {
    dir: { doc: 'Data directory of a server, or its log.' },
    target: { doc: 'Directory for the new log; empty or not there yet.' },
  },
  options: { json: { type: 'flag', doc: 'Write the report as JSON.' } },
  examples: [{ command: 'millrace log salvage ./data ./data/log-salvaged', doc: 'Next to the damaged one' }],
  run: async ({ io, args, options }) => {
    const { salvageLog } = await import('@millrace/log');
    const { frames, bytes, lost } = await salvageLog(await logOf(args.dir), args.target).catch(logFailure);
    const ranges = lost.map((range) => ({
      ...range,
      after: String(range.after),
      before: range.before?.toString() ?? null,
    }));
    if (options.json) {
      await io.out.write(`${JSON.stringify({ frames, bytes, lost: ranges })}\n`);
    } else {
      await io.out.write(`${pluralize(frames, 'frame')} saved to ${args.target}\n`);
      for (const { file, offset, bytes, reason, after, before } of ranges) {
        const positions = before === null ? `positions after ${after}` : `positions between ${after} and ${before}`;
        await io.err.write(`lost: ${file}, ${pluralize(bytes, 'byte')} at ${offset}: ${reason}; ${positions}\n`);
      }
    }
    return lost.length === 0 ? 'done' : 'failed';
  },
});
