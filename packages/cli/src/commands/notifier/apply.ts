import type { WriteNotifier } from '@millrace/client';
import { findNamed } from '../../find-by-name.js';
import { command } from '../../command/command.js';
import { fileArgument, readDocument } from '../../document-file.js';

export const notifierApply = command({
  name: 'notifier apply',
  summary: 'Create a notifier from a file, or replace the one with the same name.',
  remote: true,
  args: { file: fileArgument },
  examples: [{ command: 'millrace notifier apply on-call.json', doc: 'From a file' }],
  run: async ({ io, args, connect }) => {
    const client = connect();
    // The server validates it.
    const body = (await readDocument(args.file, io)) as unknown as WriteNotifier;
    const present = findNamed(await client.call('listNotifiers'), 'notifier', String(body.name));
    const written =
      present === undefined
        ? await client.call('createNotifier', { body })
        : await client.call('updateNotifier', { params: { id: present.id }, body });
    await io.err.write(
      `Notifier '${written.name}' is ${present === undefined ? 'created' : 'replaced'}: ${written.id}.\n`,
    );
    return 'done';
  },
});
