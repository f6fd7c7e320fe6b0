import { namedOf } from '../../find-by-name.js';
import { command } from '../../command/command.js';
import { Failure } from '../../failure.js';
import { notifierArgument } from './list.js';

export const notifierTest = command({
  name: 'notifier test',
  summary: 'Send a test notification.',
  remote: true,
  args: { notifier: notifierArgument },
  examples: [{ command: "millrace notifier test 'On call'", doc: 'Once' }],
  run: async ({ io, args, connect }) => {
    const client = connect();
    const { id, name } = namedOf(await client.call('listNotifiers'), 'notifier', args.notifier);
    const { outcome, problem = '', milliseconds } = await client.call('testNotifier', { params: { id } });
    if (outcome !== 'delivered') throw new Failure('failed', `notifier '${name}' did not deliver: ${problem}`);
    await io.err.write(`Notifier '${name}' delivered in ${milliseconds} ms.\n`);
    return 'done';
  },
});
