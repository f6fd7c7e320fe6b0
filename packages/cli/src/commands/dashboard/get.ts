import { command } from '../../command/command.js';

export const uidArgument = { doc: 'Its uid, as dashboard list shows it.' } as const;

export const dashboardGet = command({
  name: 'dashboard get',
  summary: 'Print the document of a dashboard, as dashboard apply reads it.',
  remote: true,
  args: { uid: uidArgument },
  examples: [{ command: 'millrace dashboard get service-overview > service-overview.json', doc: 'Into a file' }],
  run: async ({ io, args, connect }) => {
    const { uid, dashboard } = await connect().call('getDashboard', { params: { uid: args.uid } });
    await io.out.write(`${JSON.stringify({ uid, ...dashboard }, null, 2)}\n`);
    return 'done';
  },
});
