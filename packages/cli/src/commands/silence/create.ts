import { command } from '../../command/command.js';
import { usage } from '../../failure.js';
import { namedOf } from '../../find-by-name.js';
import { jsonOption } from '../json-option.js';
import { pairs } from '../pairs.js';

export const silenceCreate = command({
  name: 'silence create',
  summary: 'Silence monitors or groups.',
  description:
    'Selects the monitors with all given labels, of the given monitors, and their groups with all given values. Monitors keep running; incidents still open at the end are sent again.',
  remote: true,
  args: { reason: { doc: 'Why, for other users.' } },
  options: {
    label: { type: 'list', metavar: 'NAME=VALUE', doc: 'Only monitors with this label.' },
    monitor: { type: 'list', metavar: 'MONITOR', doc: 'Only this monitor: id or name.' },
    group: { type: 'list', metavar: 'FIELD=VALUE', doc: 'Only groups with this value.' },
    duration: { type: 'duration', min: 60_000, max: 604_800_000, default: 3_600_000, doc: 'How long.' },
    cron: { type: 'text', metavar: 'CRON', doc: 'Start of each maintenance window. Default: once, now.' },
    zone: { type: 'text', metavar: 'ZONE', doc: 'Time zone of --cron. Default: UTC.' },
    json: jsonOption,
  },
  examples: [
    { command: "millrace silence create 'Database upgrade' --label team=payments --duration 2h", doc: 'From now on' },
    {
      command: "millrace silence create Backups --group host=db-1 --cron '0 22 * * sat' --zone Europe/Berlin",
      doc: 'Every Saturday night',
    },
  ],
  run: async ({ io, args, options, connect }) => {
    const { cron, zone, duration } = options;
    if (zone !== undefined && cron === undefined) throw usage('--zone needs --cron');
    const client = connect();
    const monitors = options.monitor.length === 0 ? [] : await client.call('listMonitors');
    const about = {
      reason: args.reason,
      labels: pairs('--label', options.label),
      groups: pairs('--group', options.group),
      monitorIds: options.monitor.map((name) => namedOf(monitors, 'monitor', name).id),
    };
    const start = Date.now();
    const repeat = { cron: cron ?? '', durationMinutes: Math.ceil(duration / 60_000) };
    const times =
      cron === undefined
        ? { startTime: new Date(start).toISOString(), endTime: new Date(start + duration).toISOString() }
        : { repeat: { ...repeat, ...(zone !== undefined && { timeZone: zone }) } };
    const made = await client.call('createSilence', { body: { ...about, ...times } });
    if (options.json) await io.out.write(`${JSON.stringify(made)}\n`);
    else await io.err.write(`Silence '${made.reason}' is created: ${made.id}.\n`);
    return 'done';
  },
});
