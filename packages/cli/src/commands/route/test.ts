import { command } from '../../command/command.js';
import { namedOf } from '../../find-by-name.js';
import { writeRecords } from '../../render/records.js';
import { usage } from '../../failure.js';
import { jsonOption } from '../json-option.js';
import { pairs } from '../pairs.js';
import { routesIn } from './file.js';

const severities = ['info', 'warning', 'error', 'critical'] as const;

export const routeTest = command({
  name: 'route test',
  summary: 'Show who would be notified.',
  description: 'About a monitor, or one with these labels and severity. Sends nothing.',
  remote: true,
  options: {
    monitor: { type: 'text', metavar: 'MONITOR', doc: 'Its id or name.' },
    label: { type: 'list', metavar: 'NAME=VALUE', doc: 'A label.' },
    severity: { type: 'text', metavar: 'SEVERITY', doc: 'Severity: info, warning, error or critical. Default: error.' },
    file: { type: 'text', metavar: 'FILE', doc: 'Routes to test. Default: those of the server.' },
    json: jsonOption,
  },
  examples: [
    { command: "millrace route test --monitor 'Failed requests'", doc: 'A monitor' },
    { command: 'millrace route test --label team=payments --severity critical --file routes.json', doc: 'A draft' },
  ],
  run: async ({ io, options, connect }) => {
    const { monitor, label, file } = options;
    const severity = severities.find((each) => each === options.severity);
    if (options.severity !== undefined && severity === undefined)
      throw usage(`--severity must be ${severities.join(', ')}, not '${options.severity}'`);
    if (monitor !== undefined && (label.length > 0 || severity !== undefined))
      throw usage('--monitor has its own labels and severity: leave out --label and --severity');
    const client = connect();
    const notifiers = await client.call('listNotifiers');
    const monitors = monitor === undefined && file === undefined ? [] : await client.call('listMonitors');
    const { own, routes } = await client.call('testNotificationRoutes', {
      body: {
        ...(monitor === undefined
          ? { labels: pairs('--label', label) }
          : { monitorId: namedOf(monitors, 'monitor', monitor).id }),
        ...(severity !== undefined && { severity }),
        ...(file !== undefined && { routes: await routesIn(file, io, { monitors, notifiers }) }),
      },
    });
    const nameOf = (id: string): string => notifiers.find((each) => each.id === id)?.name ?? id;
    const notified = [
      ...own.map((id) => ({ notifier: nameOf(id), because: 'the monitor names it' })),
      ...routes.flatMap(({ index, name, notifierIds, escalation }) => [
        ...notifierIds.map((id) => ({ notifier: nameOf(id), because: `route ${index + 1}, ${name}` })),
        ...(escalation?.notifierIds ?? []).map((id) => ({
          notifier: nameOf(id),
          because: `route ${index + 1}, ${name}: not acknowledged for ${escalation?.afterMinutes ?? 0} min`,
        })),
      ]),
    ];
    if (notified.length === 0) await io.err.write('No notifier gets a notification.\n');
    return writeRecords(
      io,
      notified,
      [
        { title: 'notifier', whole: true, of: ({ notifier }) => notifier },
        { title: 'because', of: ({ because }) => because },
      ],
      options.json,
    );
  },
});
