import { Type, type Static } from 'typebox';
import { anyCase, named, oneOf, optional, Timestamp, withMembers } from './parts.js';

/** Monitors: queries that run by themselves, and when what they find is worth a notification. */

const monitorTypes = ['Threshold', 'MatchEvent', 'AnomalyDetection'] as const;
const operators = ['Below', 'BelowOrEqual', 'Above', 'AboveOrEqual', 'AboveOrBelow'] as const;

/** A count; clients written in Go send 0 for what is not set. */
const count = (maximum: number, description: string) =>
  optional(Type.Integer({ minimum: 0, maximum, default: 0, description }));
const flag = (description: string) => optional(Type.Boolean({ default: false, description }));

const week = 7 * 1440;

const written = {
  name: Type.String({ minLength: 1, maxLength: 256 }),
  type: oneOf(monitorTypes),
  description: optional(Type.String({ maxLength: 4096 })),
  aplQuery: optional(Type.String({ maxLength: 100_000, description: 'The query. Either this or `mplQuery`.' })),
  mplQuery: optional(
    Type.String({ maxLength: 100_000, description: 'Kept, and read back as `aplQuery`; cannot run yet.' }),
  ),
  operator: optional(
    oneOf(['', ...operators], { description: 'How values are compared; `AboveOrBelow` is for `AnomalyDetection`.' }),
  ),
  threshold: optional(Type.Number({ default: 0 })),
  columnName: optional(Type.String({ maxLength: 1024, description: 'The only column to compare; else all numbers.' })),
  intervalMinutes: count(week, 'Minutes from run to run; 0 is 1. `MatchEvent` runs every minute.'),
  rangeMinutes: count(31 * 1440, 'Minutes that each run looks at; 0 is 1.'),
  secondDelay: count(86_400, 'Seconds a run looks back, for events that arrive late.'),
  alertOnNoData: flag('Open when there is nothing to compare.'),
  notifyByGroup: flag('Each group opens and closes by itself.'),
  notifyEveryRun: flag('Notify again on each run while it is open.'),
  skipResolved: flag('Send nothing when it closes.'),
  resolvable: flag('Kept, and without effect.'),
  triggerFromNRuns: count(100, 'The last runs that are looked at to open; 0 is 1.'),
  triggerAfterNPositiveResults: count(100, 'How many of them must have found something; 0 is all.'),
  tolerance: optional(
    Type.Number({ minimum: 0, maximum: 100, default: 0, description: 'Times the usual variation; 0 is 3.' }),
  ),
  compareDays: count(14, 'Anomalies must also differ from the same time so many days before.'),
  disabled: flag('Off.'),
  disabledUntil: optional(Timestamp('Off until then.')),
  notifierIds: optional(Type.Array(Type.String(), { maxItems: 100, description: 'Who is told.' })),
};

/** Clients spell `notifierIds` in several ways. */
export const WriteMonitor = anyCase(named('WriteMonitor', Type.Object(written)));
export type WriteMonitor = Static<typeof WriteMonitor>;

const { mplQuery: _, ...shown } = written;
/** What a client is shown: everything with a default is there. */
export const Monitor = withMembers(
  'Monitor',
  Type.Object({
    ...shown,
    aplQuery: Type.String({ description: 'The query, to the byte as it was sent.' }),
    operator: optional(oneOf(operators)),
    threshold: Type.Number(),
    intervalMinutes: Type.Integer(),
    rangeMinutes: Type.Integer(),
    secondDelay: Type.Integer(),
    alertOnNoData: Type.Boolean(),
    notifyByGroup: Type.Boolean(),
    notifyEveryRun: Type.Boolean(),
    skipResolved: Type.Boolean(),
    resolvable: Type.Boolean(),
    triggerFromNRuns: Type.Integer(),
    triggerAfterNPositiveResults: Type.Integer(),
    tolerance: Type.Number(),
    compareDays: Type.Integer(),
    disabled: Type.Boolean(),
    notifierIds: Type.Array(Type.String()),
  }),
  Type.Object({
    id: Type.String(),
    createdAt: Type.String({ format: 'date-time' }),
    createdBy: Type.String({ description: 'Id of the user.' }),
    updatedAt: Type.String({ format: 'date-time' }),
  }),
);
export type Monitor = Static<typeof Monitor>;

/** A monitor as it is kept. */
export interface StoredMonitor extends Monitor {
  readonly language: 'apl' | 'mpl';
  /** What its runs may read: what whoever wrote it could. */
  readonly reads: Reads;
  /**
   * The position in the log when it was written, in decimal digits: events that match are looked
   * for behind it.
   */
  readonly from: string;
}

export interface Reads {
  /** Everything but the audit log; then the lists are empty. */
  readonly all: boolean;
  readonly audit: boolean;
  readonly datasets: readonly string[];
  readonly views: readonly string[];
}

export const HistoryRange = Type.Object({
  startTime: Timestamp('Inclusive.'),
  endTime: Timestamp('Inclusive.'),
});

export const HistoryOfMonitors = Type.Object({
  monitorIds: Type.String({ description: 'Ids with commas between them.' }),
  startTime: optional(Type.String({ description: 'Runs from here; also `now-1h`.' })),
  endTime: optional(Type.String({ description: 'Runs to here, inclusive; now if it is left out.' })),
});
export type HistoryOfMonitors = Static<typeof HistoryOfMonitors>;

export const MonitorRunColumns = named(
  'MonitorRunColumns',
  Type.Object({
    fields: Type.Array(Type.String(), { description: 'What each column holds.' }),
    data: Type.Record(Type.String(), Type.Array(Type.Array(Type.Unknown()))),
  }),
);
export type MonitorRunColumns = Static<typeof MonitorRunColumns>;

export const MonitorChange = named(
  'MonitorChange',
  Type.Object({
    checkId: Type.String({ description: 'Id of the run that changed it.' }),
    name: Type.String({ description: 'Its name then, and the values of the group if groups open by themselves.' }),
    state: oneOf(['open', 'closed']),
    timestamp: Type.String({ format: 'date-time' }),
  }),
);
export type MonitorChange = Static<typeof MonitorChange>;

export const MonitorRun = named(
  'MonitorRun',
  Type.Object({
    id: Type.String(),
    time: Type.String({ format: 'date-time', description: 'The time for which it was made.' }),
    start: Type.String({ format: 'date-time', description: 'What it looked at, from here' }),
    end: Type.String({ format: 'date-time', description: 'to here, exclusive.' }),
    state: oneOf(['ok', 'open', 'nodata', 'error'], {
      description: 'How the monitor stood afterwards; `error` if the query failed.',
    }),
    value: optional(Type.Number({ description: 'The latest value that opens, or else the latest.' })),
    matched: optional(Type.Integer({ description: 'Events that matched.' })),
    error: optional(Type.String({ description: 'Why the query failed; of the server itself, what is wrong.' })),
    notified: Type.Integer({ description: 'Notifications that were decided.' }),
    milliseconds: Type.Integer({ description: 'How long it took.' }),
  }),
);
export type MonitorRun = Static<typeof MonitorRun>;

const MonitorDelivery = named(
  'MonitorDelivery',
  Type.Object({
    notifierId: Type.String(),
    action: oneOf(['Open', 'Closed']),
    state: oneOf(['waiting', 'delivered', 'failed']),
    tries: Type.Integer({ description: 'Attempts that failed.' }),
    problem: optional(Type.String({ description: 'Why the last attempt failed.' })),
  }),
);
export type MonitorDelivery = Static<typeof MonitorDelivery>;

export const MonitorRunWithDeliveries = withMembers(
  'MonitorRunWithDeliveries',
  MonitorRun,
  Type.Object({
    deliveries: Type.Array(MonitorDelivery, { description: 'What became of its notifications.' }),
  }),
);

export const RecentRange = Type.Object({
  last: optional(Type.Integer({ minimum: 1, maximum: 100, default: 30, description: 'Most runs of each monitor.' })),
});

export const RecentRuns = named(
  'RecentRuns',
  Type.Object({
    id: Type.String({ description: 'Id of the monitor.' }),
    runs: Type.Array(MonitorRun, { description: 'Newest first.' }),
    changed: optional(MonitorChange),
  }),
);

export const MonitorStatus = named(
  'MonitorStatus',
  Type.Object({
    id: Type.String(),
    state: oneOf(['ok', 'open', 'nodata', 'error', 'off']),
    error: optional(Type.String({ description: 'Why the last run failed.' })),
    lastRun: optional(Type.String({ format: 'date-time' })),
    nextRun: optional(Type.String({ format: 'date-time', description: 'Missing if it is off.' })),
    openGroups: Type.Array(
      Type.Object({
        keys: Type.Array(Type.String()),
        values: Type.Array(Type.Unknown()),
        since: optional(Type.String({ format: 'date-time' })),
      }),
      { description: 'What is open; a monitor that does not open by groups has one without keys.' },
    ),
  }),
);
export type MonitorStatus = Static<typeof MonitorStatus>;

export const ServerHealth = withMembers(
  'ServerHealth',
  MonitorStatus,
  Type.Object({
    notifierIds: Type.Array(Type.String(), { description: 'Who is told.' }),
    runs: Type.Array(MonitorRun, { description: 'Newest first.' }),
  }),
);
export type ServerHealth = Static<typeof ServerHealth>;

export const PreviewMonitor = named(
  'PreviewMonitor',
  Type.Object({
    monitor: WriteMonitor,
    startTime: optional(Timestamp('Time of the first run; a day before the end if left out.')),
    endTime: optional(Timestamp('Time of the last run; now if left out.')),
  }),
);

export const MonitorPreview = named(
  'MonitorPreview',
  Type.Object({
    runs: Type.Array(
      Type.Object({
        time: Type.String({ format: 'date-time' }),
        start: Type.String({ format: 'date-time' }),
        end: Type.String({ format: 'date-time' }),
        state: oneOf(['ok', 'open', 'nodata', 'error']),
        value: optional(Type.Number()),
        least: optional(Type.Number({ description: 'The smallest number that was compared with a threshold' })),
        greatest: optional(Type.Number({ description: 'and the largest.' })),
        error: optional(Type.String()),
        notified: Type.Integer({ description: 'Notifications that each notifier would have got.' }),
      }),
    ),
    changes: Type.Array(
      Type.Object({
        time: Type.String({ format: 'date-time' }),
        name: Type.String(),
        state: oneOf(['open', 'closed']),
      }),
      { description: 'When it would have opened and closed.' },
    ),
    notifications: Type.Array(
      Type.Object({
        time: Type.String({ format: 'date-time' }),
        action: oneOf(['Open', 'Closed']),
        body: Type.String(),
      }),
    ),
    complete: Type.Boolean({ description: 'Whether every run is there; else they were too many, or took too long.' }),
  }),
);
export type MonitorPreview = Static<typeof MonitorPreview>;
