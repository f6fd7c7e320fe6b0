import { Type, type Static } from 'typebox';
import { severities } from './monitor.js';
import { anyName, withTitle, oneOf, optional } from './parts.js';

/** The table of routes: which notifiers monitors use. */

const ids = (description: string) => Type.Array(Type.String(), { maxItems: 100, description });

const Escalation = Type.Object(
  {
    afterMinutes: Type.Integer({ minimum: 1, maximum: 7 * 1440 }),
    notifierIds: ids('IDs of the notifiers.'),
  },
  { description: 'More notifiers for groups that are open this long without acknowledgement.' },
);

export const NotificationRoute = withTitle(
  'NotificationRoute',
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 256 }),
    labels: optional(
      Type.Record(anyName, Type.String({ maxLength: 256 }), {
        description: 'Only monitors that have all these labels.',
      }),
    ),
    severities: optional(
      Type.Array(oneOf(severities), { maxItems: 4, description: 'Only monitors of these severities.' }),
    ),
    monitorIds: optional(ids('Only these monitors.')),
    notifierIds: ids('IDs of the notifiers that receive the alerts.'),
    escalation: optional(Escalation),
    continue: optional(Type.Boolean({ default: false, description: 'Later routes are looked at as well.' })),
  }),
);
export type NotificationRoute = Static<typeof NotificationRoute>;

const routes = Type.Array(NotificationRoute, {
  maxItems: 200,
  description: 'In order: the first that matches a monitor decides.',
});

export const WriteNotificationRoutes = withTitle(
  'WriteNotificationRoutes',
  Type.Object({
    routes,
    version: optional(
      Type.Integer({ description: 'The version that was read: another one in the meantime is a conflict.' }),
    ),
  }),
);
export type WriteNotificationRoutes = Static<typeof WriteNotificationRoutes>;

export const NotificationRoutes = withTitle(
  'NotificationRoutes',
  Type.Object({
    routes,
    version: Type.Integer({ description: 'Increases with each write; 0 before the first.' }),
    updatedAt: optional(Type.String({ format: 'date-time' })),
    updatedBy: optional(Type.String({ description: 'ID of the user.' })),
  }),
);
export type NotificationRoutes = Static<typeof NotificationRoutes>;

/** The table as stored. */
export interface StoredRoutes extends NotificationRoutes {
  readonly id: string;
}

export const TestNotificationRoutes = withTitle(
  'TestNotificationRoutes',
  Type.Object({
    monitorId: optional(Type.String({ description: 'A monitor. Default: one with these labels and severity.' })),
    labels: optional(Type.Record(anyName, Type.String({ maxLength: 256 }))),
    severity: optional(oneOf(severities)),
    routes: optional({ ...routes, description: 'Routes to test. Default: the stored ones.' }),
  }),
);
export type TestNotificationRoutes = Static<typeof TestNotificationRoutes>;

export const RoutesTest = withTitle(
  'RoutesTest',
  Type.Object({
    notifierIds: ids('All notifiers that receive the alerts.'),
    own: ids('Notifiers of the monitor itself.'),
    routes: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'Position in the table, from 0.' }),
        name: Type.String(),
        notifierIds: ids('Those of this route.'),
        escalation: optional(Escalation),
      }),
      { description: 'Routes that match and count.' },
    ),
  }),
);
export type RoutesTest = Static<typeof RoutesTest>;
