import { membersOf } from '../../result/json-text.js';
import { command } from '../../command/command.js';
import { prettyJson } from '../../render/pretty-json.js';

export const uidArgument = { doc: 'Its uid, as dashboard list shows it.' } as const;

export const dashboardGet = command({
  name: 'dashboard get',
  summary: 'Print the document of a dashboard, as dashboard apply reads it.',
  remote: true,
  args: { uid: uidArgument },
  examples: [{ command: 'millrace dashboard get service-overview > service-overview.json', doc: 'Into a file' }],
  run: async ({ io, args, connect }) => {
    const answer = membersOf(await connect().text('getDashboard', { params: { uid: args.uid } }));
    const document = membersOf(answer.get('dashboard') ?? '{}');
    const members = [...new Map([['uid', answer.get('uid') ?? '""'], ...document])];
    const text = members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',');
    await io.out.write(`${prettyJson(`{${text}}`)}\n`);
    return 'done';
  },
});
