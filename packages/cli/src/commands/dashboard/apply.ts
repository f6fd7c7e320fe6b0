import { jsonText, type WriteDashboard } from '@millrace/client';
import { membersOf } from '../../result/json-text.js';
import { command } from '../../command/command.js';
import { fileArgument, readDocumentText } from '../../document-file.js';
import { usage } from '../../failure.js';

export const dashboardApply = command({
  name: 'dashboard apply',
  summary: 'Create a dashboard from a file, or replace the one with the same uid.',
  description:
    'The file holds a document with its uid, as dashboard get prints it and as the interface exports it. It replaces whatever version is there.',
  remote: true,
  args: { file: fileArgument },
  options: {
    message: { type: 'text', short: 'm', metavar: 'TEXT', doc: 'What changed, for the history of the dashboard.' },
  },
  examples: [{ command: 'millrace dashboard apply service-overview.json', doc: 'From a file kept in git' }],
  run: async ({ io, args, options, connect }) => {
    const { text, value } = await readDocumentText(args.file, io);
    const { uid } = value;
    if (typeof uid !== 'string' || uid === '')
      throw usage(`${args.file} has no uid: add one, such as "uid": "service-overview", so that it is found again`);
    const { message } = options;
    // An API response wraps the document, which the server validates.
    const document = value['charts'] === undefined ? membersOf(text).get('dashboard') : undefined;
    const { status, dashboard, unknownOwner } = await connect().call('replaceDashboard', {
      params: { uid },
      query: { include: 'unknownOwner' },
      body: jsonText<WriteDashboard>(
        `{"dashboard":${document ?? text},"overwrite":true${message === undefined ? '' : `,"message":${JSON.stringify(message)}`}}`,
      ),
    });
    await io.err.write(`Dashboard '${uid}' is ${status}: version ${dashboard.version}.\n`);
    if (unknownOwner !== undefined)
      await io.err.write(`It is shared with everyone, because this server has no user '${unknownOwner}'.\n`);
    return 'done';
  },
});
