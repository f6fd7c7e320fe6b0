import { Type, type Static } from 'typebox';
import { severities } from './monitor.js';
import { anyName, withTitle, oneOf, optional, withMembers } from './parts.js';

/** Service level objectives: how many of the events of a query have to be good. */

const minutesOf = (maximum: number, description: string) => Type.Integer({ minimum: 1, maximum, description });

const BurnRateAlert = withTitle(
  'BurnRateAlert',
  Type.Object({
    longMinutes: minutesOf(31 * 1440, 'Long window: shows that a relevant part of the budget is used.'),
    shortMinutes: minutesOf(31 * 1440, 'Short window: shows that it is still being used.'),
    burnRate: Type.Number({
      minimum: 0.01,
      maximum: 100_000,
      description: 'Fires while both windows use the budget faster than this: at 1 it lasts exactly for the window.',
    }),
    severity: optional(oneOf(severities)),
  }),
);
export type BurnRateAlert = Static<typeof BurnRateAlert>;

const writableProperties = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: optional(Type.String({ maxLength: 4096 })),
  aplQuery: Type.String({
    minLength: 1,
    maxLength: 50_000,
    description: 'The events that count, such as `[\'http-logs\'] | where path == "/pay"`; not summarized.',
  }),
  good: Type.String({
    minLength: 1,
    maxLength: 10_000,
    description: 'Condition that good ones meet, such as `status < 500`. Events for which it is null are bad.',
  }),
  objective: Type.Number({
    minimum: 0.001,
    maximum: 99.99999,
    description: 'Percentage of events that have to be good, such as 99.9.',
  }),
  windowDays: Type.Integer({ minimum: 1, maximum: 90, description: 'Length of the rolling window, in days.' }),
  alerts: optional(
    Type.Array(BurnRateAlert, {
      maxItems: 6,
      description:
        'Burn-rate alerts, each a monitor. Default: 14.4 over 1 h and 5 min (critical), 6 over 6 h and 30 min (error), 1 over 3 d and 6 h (warning).',
    }),
  ),
  notifierIds: optional(Type.Array(Type.String(), { maxItems: 100, description: 'Notifiers of its monitors.' })),
  labels: optional(
    Type.Record(anyName, Type.String({ maxLength: 256 }), { description: 'Labels of its monitors, for routes.' }),
  ),
};

export const WriteSlo = withTitle('WriteSlo', Type.Object(writableProperties));
export type WriteSlo = Static<typeof WriteSlo>;

const storedProperties = {
  ...writableProperties,
  alerts: Type.Array(BurnRateAlert),
  notifierIds: Type.Array(Type.String()),
  id: Type.String(),
  createdAt: Type.String({ format: 'date-time' }),
  createdBy: Type.String({ description: 'ID of the user.' }),
  updatedAt: Type.String({ format: 'date-time' }),
};
const SloSchema = Type.Object(storedProperties);
export type StoredSlo = Static<typeof SloSchema>;

export const Slo = withMembers(
  'Slo',
  SloSchema,
  Type.Object({ monitorIds: Type.Array(Type.String(), { description: 'Its monitors, one for each alert.' }) }),
);
export type Slo = Static<typeof Slo>;

export const SloBudget = withTitle(
  'SloBudget',
  Type.Object({
    start: Type.String({ format: 'date-time', description: 'Start of the window.' }),
    end: Type.String({ format: 'date-time', description: 'End of the window.' }),
    objective: Type.Number({ description: 'Percentage.' }),
    good: Type.Integer(),
    total: Type.Integer(),
    attained: optional(Type.Number({ description: 'Percentage of good events; absent without events.' })),
    remaining: Type.Number({
      description: 'Part of the error budget that is left: 1 is all of it, below 0 the objective is missed.',
    }),
    burnRates: Type.Array(Type.Object({ minutes: Type.Integer(), rate: Type.Number() }), {
      description: 'How fast the budget is used in the last minutes: at 1 it lasts exactly for the window.',
    }),
    points: Type.Array(
      Type.Object({
        time: Type.String({ format: 'date-time', description: 'Start of the step.' }),
        good: Type.Integer(),
        total: Type.Integer(),
        remaining: Type.Number({ description: 'Part of the budget that is left after it.' }),
      }),
      { description: 'Steps of the window that have events, oldest first.' },
    ),
  }),
);
export type SloBudget = Static<typeof SloBudget>;
