import { Type, type Static } from 'typebox';
import { Acknowledgment } from './monitor.js';
import { withTitle, oneOf, optional, Timestamp } from './parts.js';

/** Incidents: from the opening of a group to its closing, with deliveries of notifications. */

const MonitorAttempt = withTitle(
  'MonitorAttempt',
  Type.Object({
    time: Type.String({ format: 'date-time' }),
    outcome: oneOf(['delivered', 'later', 'failed'], { description: '`later`: it is retried.' }),
    milliseconds: Type.Integer({ description: 'Duration in milliseconds.' }),
    status: optional(Type.Integer({ description: 'HTTP status of the response.' })),
    answer: optional(Type.String({ description: 'Beginning of the response.' })),
    problem: optional(Type.String({ description: 'Why it failed.' })),
  }),
);
export type MonitorAttempt = Static<typeof MonitorAttempt>;

const IncidentDelivery = withTitle(
  'IncidentDelivery',
  Type.Object({
    id: Type.String(),
    notifierId: Type.String(),
    action: oneOf(['Open', 'Closed']),
    created: Type.String({ format: 'date-time', description: 'Time of the run that it is about.' }),
    body: Type.String({ description: 'Text of the notification.' }),
    state: oneOf(['waiting', 'delivered', 'failed']),
    tries: Type.Integer({ description: 'Attempts so far.' }),
    problem: optional(Type.String({ description: 'Why the last attempt failed.' })),
    nextTry: optional(Type.String({ format: 'date-time', description: 'While it is waiting.' })),
    attempts: Type.Array(MonitorAttempt, { description: 'The last 20, oldest first.' }),
  }),
);
export type IncidentDelivery = Static<typeof IncidentDelivery>;

const short = {
  id: Type.String({ description: 'Time of the opening in milliseconds since the epoch, and a hash of the group.' }),
  monitorId: Type.String(),
  name: Type.String({ description: 'Name of the monitor at that time, with the values of the group.' }),
  openedAt: Type.String({ format: 'date-time' }),
  closedAt: optional(Type.String({ format: 'date-time', description: 'Absent while it is open, and for events.' })),
};

export const IncidentSummary = withTitle('IncidentSummary', Type.Object(short));
export type IncidentSummary = Static<typeof IncidentSummary>;

export const Incident = withTitle(
  'Incident',
  Type.Object({
    ...short,
    checkId: Type.String({ description: 'ID of the run that opened it.' }),
    keys: Type.Array(Type.String(), { description: 'Fields of the group.' }),
    values: Type.Array(Type.Unknown(), { description: 'Values of the group.' }),
    text: Type.String({ description: 'Why it opened.' }),
    closedText: optional(Type.String({ description: 'Why it closed.' })),
    value: optional(Type.Number({ description: 'Value that opened it.' })),
    start: Type.String({ format: 'date-time', description: 'Start of the range that the run queried.' }),
    end: Type.String({ format: 'date-time', description: 'End of that range, exclusive.' }),
    position: optional(
      Type.String({ description: 'Log position after the run: with `asOf`, queries see what the run saw.' }),
    ),
    acknowledged: optional(Acknowledgment),
    edited: Type.Boolean({ description: 'The condition of the monitor has changed since.' }),
    deliveries: Type.Array(IncidentDelivery, { description: 'Of its notifications, oldest first.' }),
    others: Type.Array(IncidentSummary, {
      description: 'Other incidents of the monitor that opened while it was open, at most 100.',
    }),
  }),
);
export type Incident = Static<typeof Incident>;

export const IncidentRange = Type.Object({
  monitorId: optional(Type.String({ description: 'Only of this monitor.' })),
  startTime: Timestamp('Opened at or after this time.'),
  endTime: optional(Timestamp('Opened at or before this time. Default: now.')),
});
export type IncidentRange = Static<typeof IncidentRange>;

export const IncidentParameters = Type.Object({
  id: Type.String({ description: 'ID of the monitor.' }),
  incident: Type.String({ maxLength: 64 }),
});
