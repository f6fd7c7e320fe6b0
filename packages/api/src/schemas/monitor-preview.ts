import { Type, type Static } from 'typebox';
import { flag, WriteMonitor } from './monitor.js';
import { withTitle, oneOf, optional, Timestamp } from './parts.js';

/** Back-tests of monitors. */

export const PreviewMonitor = withTitle(
  'PreviewMonitor',
  Type.Object({
    monitor: WriteMonitor,
    startTime: optional(
      Timestamp('Time of the first run. Default: a day before the end, or less, to fit `MILLRACE_PREVIEW_RUNS`.'),
    ),
    endTime: optional(Timestamp('Time of the last run. Default: now.')),
    ignoreArrival: flag(
      'Treat events as if each had arrived at its time, such as imported ones. Required for `MatchEvent`.',
    ),
  }),
);

export const MonitorPreview = withTitle(
  'MonitorPreview',
  Type.Object({
    runs: Type.Array(
      Type.Object({
        time: Type.String({ format: 'date-time' }),
        start: Type.String({ format: 'date-time' }),
        end: Type.String({ format: 'date-time' }),
        state: oneOf(['ok', 'open', 'nodata', 'error']),
        value: optional(Type.Number()),
        matched: optional(Type.Integer({ description: 'Events that matched.' })),
        min: optional(Type.Number({ description: 'Smallest value compared with the threshold.' })),
        max: optional(Type.Number({ description: 'Largest value compared with the threshold.' })),
        error: optional(Type.String()),
        notified: Type.Integer({ description: 'Notifications that each notifier would have received.' }),
      }),
    ),
    changes: Type.Array(
      Type.Object({
        time: Type.String({ format: 'date-time' }),
        name: Type.String(),
        state: oneOf(['open', 'closed']),
        keys: Type.Array(Type.String(), { description: 'Fields of the group.' }),
        values: Type.Array(Type.Unknown(), { description: 'Values of the group.' }),
      }),
      { description: 'When it would have fired and resolved.' },
    ),
    notifications: Type.Array(
      Type.Object({
        time: Type.String({ format: 'date-time' }),
        action: oneOf(['Open', 'Closed']),
        body: Type.String(),
      }),
    ),
    complete: Type.Boolean({
      description:
        'Whether all runs are included; false if there were too many (the oldest are missing) or they took too long (the newest are missing).',
    }),
  }),
);
export type MonitorPreview = Static<typeof MonitorPreview>;
