import { Type, type Static } from 'typebox';
import { anyCase, anyName, withTitle, oneOf, optional, Timestamp, withMembers } from './parts.js';

/**
 * Monitors: queries that run on a schedule, and the condition under which results send a
 * notification.
 */

const monitorTypes = ['Threshold', 'MatchEvent', 'AnomalyDetection'] as const;
export const severities = ['info', 'warning', 'error', 'critical'] as const;
const operators = ['Below', 'BelowOrEqual', 'Above', 'AboveOrEqual', 'AboveOrBelow'] as const;

/** A count. Go clients send 0 for an unset value. */
const count = (maximum: number, description: string) =>
  optional(Type.Integer({ minimum: 0, maximum, default: 0, description }));
export const flag = (description: string) => optional(Type.Boolean({ default: false, description }));

const week = 7 * 1440;

const writableProperties = {
  name: Type.String({ minLength: 1, maxLength: 256 }),
  type: oneOf(monitorTypes),
  description: optional(Type.String({ maxLength: 4096 })),
  aplQuery: optional(
    Type.String({ maxLength: 100_000, description: 'The query, in APL or MPL. Either this or `mplQuery`.' }),
  ),
  mplQuery: optional(
    Type.String({
      maxLength: 100_000,
      description: 'The query in MPL over a dataset of metrics. Returned only with `include=mplQuery`.',
    }),
  ),
  operator: optional(
    oneOf(['', ...operators], { description: 'How values are compared; `AboveOrBelow` is for `AnomalyDetection`.' }),
  ),
  threshold: optional(Type.Number({ default: 0 })),
  recoveryThreshold: optional(
    Type.Number({
      description: 'Open groups resolve when no value violates this threshold any more. Default: `threshold`.',
    }),
  ),
  keepFiringMinutes: count(week, 'Minutes that a group stays open after the last run that found it violating.'),
  columnName: optional(
    Type.String({ maxLength: 1024, description: 'Column to compare. Default: all numeric columns.' }),
  ),
  intervalMinutes: count(week, 'Interval in minutes; 0 means 1. `MatchEvent` runs every minute, whatever is set.'),
  rangeMinutes: count(31 * 1440, 'Minutes that each run queries; 0 means 1.'),
  secondDelay: count(86_400, 'Seconds by which the queried range ends before the run, for events that arrive late.'),
  alertOnNoData: flag('Fire when there is no data; with `notifyByGroup` also for each group whose data stops.'),
  groupMemoryMinutes: count(
    31 * 1440,
    'Minutes for which a group without data fires, with `alertOnNoData` and `notifyByGroup`. Default: `MILLRACE_MONITOR_GROUP_MEMORY`.',
  ),
  notifyByGroup: flag('Evaluate each group separately.'),
  notifyEveryRun: flag('Notify on every run while firing.'),
  skipResolved: flag('Do not notify on resolve.'),
  resolvable: flag('Stored and returned; no other effect.'),
  triggerFromNRuns: count(100, 'Number of latest runs to consider; 0 means 1.'),
  triggerAfterNPositiveResults: count(100, 'How many of them must meet the condition to fire; 0 means all.'),
  tolerance: optional(
    Type.Number({ minimum: 0, maximum: 100, default: 0, description: 'Multiple of the usual variation; 0 means 3.' }),
  ),
  compareDays: count(14, 'Anomalies must also differ from the values this many days earlier.'),
  disabled: flag('Turns the monitor off.'),
  disabledUntil: optional(
    Timestamp(
      'Muted until then: open incidents are closed at receivers, the monitor keeps running and sends nothing. Groups still open at the end of the mute are sent then.',
    ),
  ),
  notifierIds: optional(Type.Array(Type.String(), { maxItems: 100, description: 'IDs of its notifiers.' })),
  renotifyMinutes: count(
    week,
    'Minutes after which an open group is notified again, until it resolves or is acknowledged; 0 means never.',
  ),
  inhibitedBy: optional(
    Type.Array(Type.String(), {
      maxItems: 100,
      description: 'IDs of monitors: while one of them is open, this one notifies no notifier.',
    }),
  ),
  notifyOnlyWhile: optional(
    Type.Array(Type.String(), {
      maxItems: 100,
      description: 'IDs of monitors: this one notifies only while all of them are open.',
    }),
  ),
  labels: optional(
    Type.Record(anyName, Type.String({ maxLength: 256 }), {
      description: 'Up to 32 labels, such as `{"team": "payments"}`.',
    }),
  ),
  severity: optional(
    oneOf(severities, {
      description:
        'Urgency: more urgent notifications are sent first. The default is `error`, and `warning` for missing data.',
    }),
  ),
};

/** Clients spell `notifierIds` in several ways. */
export const WriteMonitor = anyCase(withTitle('WriteMonitor', Type.Object(writableProperties)));
export type WriteMonitor = Static<typeof WriteMonitor>;

/** A monitor as returned to clients: every property with a default is present. */
export const Monitor = withMembers(
  'Monitor',
  Type.Object({
    ...writableProperties,
    aplQuery: Type.String({
      description: 'The query, exactly as sent, in APL or MPL; empty if `mplQuery` is present.',
    }),
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
    createdBy: Type.String({ description: 'ID of the user.' }),
    updatedAt: Type.String({ format: 'date-time' }),
    sloId: optional(Type.String({ description: 'The SLO that it belongs to, with which it changes.' })),
  }),
);
export type Monitor = Static<typeof Monitor>;

/** A monitor as stored. */
export interface StoredMonitor extends Monitor {
  readonly language: 'apl' | 'mpl';
  /** Id of the user who wrote it last, whose rights it has; `createdBy` if absent. */
  readonly writtenBy?: string;
  /** Set when that user was removed: it is off until another user writes it. */
  readonly isOrphaned?: true;
  /** Minutes that were sent where the schedule uses others. */
  readonly sentMinutes?: Pick<Monitor, 'intervalMinutes' | 'rangeMinutes'>;
  /** What the runs may read: the read permissions of the author. */
  readonly reads: Reads;
  /**
   * The log position when the monitor was saved, in decimal digits: match monitors start after it.
   */
  readonly from: string;
}

/**
 * Identity of a monitor's condition: the properties that decide which values violate it, per group.
 * A change makes it another monitor.
 */
export const aboutOf = ({
  type,
  aplQuery,
  language,
  operator,
  threshold,
  columnName,
  notifyByGroup,
  tolerance,
  compareDays,
}: Omit<StoredMonitor, 'id'>): string =>
  JSON.stringify([type, aplQuery, language, operator, threshold, columnName, notifyByGroup, tolerance, compareDays]);

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
  monitorIds: Type.String({ description: 'Comma-separated IDs.' }),
  startTime: optional(Type.String({ description: 'Start of the time range; may be relative, such as `now-1h`.' })),
  endTime: optional(Type.String({ description: 'End of the time range, inclusive. Default: now.' })),
});
export type HistoryOfMonitors = Static<typeof HistoryOfMonitors>;

export const MonitorRunColumns = withTitle(
  'MonitorRunColumns',
  Type.Object({
    fields: Type.Array(Type.String(), { description: 'Names of the columns.' }),
    data: Type.Record(Type.String(), Type.Array(Type.Array(Type.Unknown()))),
  }),
);
export type MonitorRunColumns = Static<typeof MonitorRunColumns>;

export const MonitorChange = withTitle(
  'MonitorChange',
  Type.Object({
    checkId: Type.String({ description: 'ID of the run that changed it.' }),
    name: Type.String({
      description: 'Name of the monitor at that time, with the values of the group if groups are evaluated separately.',
    }),
    state: oneOf(['open', 'closed']),
    timestamp: Type.String({ format: 'date-time' }),
  }),
);
export type MonitorChange = Static<typeof MonitorChange>;

export const MonitorRun = withTitle(
  'MonitorRun',
  Type.Object({
    id: Type.String(),
    time: Type.String({ format: 'date-time', description: 'Scheduled time of the run.' }),
    start: Type.String({ format: 'date-time', description: 'Start of the queried time range, inclusive.' }),
    end: Type.String({ format: 'date-time', description: 'End of the queried time range, exclusive.' }),
    state: oneOf(['ok', 'open', 'nodata', 'error'], {
      description: 'State of the monitor after the run; `error` if the query failed.',
    }),
    value: optional(Type.Number({ description: 'Latest value that meets the condition, otherwise the latest value.' })),
    matched: optional(Type.Integer({ description: 'Events that matched.' })),
    error: optional(
      Type.String({ description: 'Why the query failed; for the health monitor, the problems of the server.' }),
    ),
    notified: Type.Integer({ description: 'Notifications created.' }),
    milliseconds: Type.Integer({ description: 'Duration in milliseconds.' }),
  }),
);
export type MonitorRun = Static<typeof MonitorRun>;

const MonitorDelivery = withTitle(
  'MonitorDelivery',
  Type.Object({
    notifierId: Type.String(),
    action: oneOf(['Open', 'Closed']),
    state: oneOf(['waiting', 'delivered', 'failed']),
    tries: Type.Integer({ description: 'Failed attempts.' }),
    problem: optional(Type.String({ description: 'Why the last attempt failed.' })),
  }),
);
export type MonitorDelivery = Static<typeof MonitorDelivery>;

export const MonitorRunWithDeliveries = withMembers(
  'MonitorRunWithDeliveries',
  MonitorRun,
  Type.Object({
    deliveries: Type.Array(MonitorDelivery, { description: 'Deliveries of its notifications.' }),
  }),
);

export const RecentRange = Type.Object({
  last: optional(Type.Integer({ minimum: 1, maximum: 100, default: 30, description: 'Maximum runs per monitor.' })),
});

export const RecentRuns = withTitle(
  'RecentRuns',
  Type.Object({
    id: Type.String({ description: 'ID of the monitor.' }),
    runs: Type.Array(MonitorRun, { description: 'Newest first.' }),
    changed: optional(MonitorChange),
  }),
);

const throughLink = {
  through: optional(Type.String({ description: 'ID of the notifier whose message had the link.' })),
  name: optional(Type.String({ description: 'Name that was entered there; it is not verified.' })),
};

export const Acknowledgment = Type.Object(
  {
    at: Type.String({ format: 'date-time' }),
    by: Type.String({ description: 'ID of the user; empty for a link in a message.' }),
    ...throughLink,
  },
  { description: 'Present if a user has acknowledged it.' },
);

export const AcknowledgeMonitor = withTitle(
  'AcknowledgeMonitor',
  Type.Object({
    values: optional(
      Type.Array(Type.Unknown(), { maxItems: 100, description: 'Values of one group. Default: all open groups.' }),
    ),
  }),
);

export const AcknowledgedGroups = withTitle(
  'AcknowledgedGroups',
  Type.Object({
    groups: Type.Array(Type.Array(Type.Unknown()), { description: 'Values of the open groups that are acknowledged.' }),
  }),
);

/** An acknowledged incident: a group of a monitor, from one opening to its closing. */
export interface StoredAcknowledgment {
  readonly id: string;
  readonly monitorId: string;
  /** Key of the group. */
  readonly group: string;
  /** When the group opened, milliseconds since the epoch. */
  readonly since: number;
  readonly at: string;
  /** ID of the user; empty for a link in a message. */
  readonly by: string;
  /** ID of the notifier whose message had the link. */
  readonly through?: string;
  /** Name entered there, not verified. */
  readonly name?: string;
}

export const MonitorStatus = withTitle(
  'MonitorStatus',
  Type.Object({
    id: Type.String(),
    state: oneOf(['ok', 'open', 'nodata', 'error', 'off']),
    error: optional(Type.String({ description: 'Why the last run failed.' })),
    failing: optional(
      Type.Object(
        {
          since: Type.String({ format: 'date-time' }),
          runs: Type.Integer({ description: 'Failed runs in a row.' }),
        },
        {
          description:
            'Present while the monitor cannot run: its last `MILLRACE_MONITOR_FAILURES` runs failed, and its notifiers were notified.',
        },
      ),
    ),
    silencedUntil: optional(
      Type.String({ format: 'date-time', description: 'Present while a silence is active for all of the monitor.' }),
    ),
    inhibited: optional(
      Type.Boolean({ description: 'It notifies no notifier because of `inhibitedBy` or `notifyOnlyWhile`.' }),
    ),
    lastRun: optional(Type.String({ format: 'date-time' })),
    nextRun: optional(Type.String({ format: 'date-time', description: 'Absent if the monitor is off.' })),
    openGroups: Type.Array(
      Type.Object({
        keys: Type.Array(Type.String()),
        values: Type.Array(Type.Unknown()),
        since: optional(Type.String({ format: 'date-time' })),
        incident: optional(Type.String({ description: 'ID of its incident.' })),
        state: oneOf(['open', 'nodata']),
        acknowledged: optional(Acknowledgment),
      }),
      {
        description:
          'Open groups, at most `MILLRACE_STATUS_GROUPS`. A monitor that does not evaluate groups separately has one without keys.',
      },
    ),
    openGroupCount: Type.Integer({ description: 'Number of open groups, including unlisted ones.' }),
  }),
);
export type MonitorStatus = Static<typeof MonitorStatus>;

export const ServerHealth = withMembers(
  'ServerHealth',
  MonitorStatus,
  Type.Object({
    notifierIds: Type.Array(Type.String(), { description: 'IDs of its notifiers.' }),
    runs: Type.Array(MonitorRun, { description: 'Newest first.' }),
  }),
);
export type ServerHealth = Static<typeof ServerHealth>;
