import { namedOf, withoutRecord } from '../../find-by-name.js';
import { command } from '../../command/command.js';
import { notifierArgument } from './list.js';

export const notifierGet = command({
  name: 'notifier get',
  summary: 'Print a notifier, as notifier apply reads it.',
  description: 'Keys of PagerDuty and secret headers are empty; applied so, they stay as they are.',
  remote: true,
  args: { notifier: notifierArgument },
  examples: [{ command: "millrace notifier get 'On call' > on-call.json", doc: 'Into a file' }],
  run: async ({ io, args, connect }) => {
    const notifier = namedOf(await connect().call('listNotifiers'), 'notifier', args.notifier);
    await io.out.write(`${JSON.stringify(withoutRecord(notifier), null, 2)}\n`);
    return 'done';
  },
});
