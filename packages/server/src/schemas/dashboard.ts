import { Type, type Static } from 'typebox';
import { AnyObject, named, open, optional, textOf } from './parts.js';

/**
 * Dashboards. Of a document only a core is checked, and all of it is kept as it was sent: exported
 * documents have members and kinds of charts that the interface does not document, and its own
 * clients send some of them.
 */

export const everyone = 'X-AXIOM-EVERYONE';

const uid = textOf('uid', { description: 'Key of the dashboard that stays the same when it is replaced.' });

const Chart = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 200 }),
    type: Type.String({ minLength: 1, maxLength: 200 }),
    name: optional(Type.String({ maxLength: 500 })),
  },
  open,
);

const LayoutItem = Type.Object(
  {
    i: Type.String({ description: 'Id of a chart.' }),
    x: optional(Type.Number({ minimum: 0 })),
    y: optional(Type.Number({ minimum: 0 })),
    w: Type.Number({ minimum: 0 }),
    h: Type.Number({ minimum: 0 }),
  },
  open,
);

const timeWindow = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });

/** What is checked of a document. */
export const DashboardDocument = named(
  'DashboardDocument',
  Type.Object(
    {
      name: textOf('written', { minLength: 1, maxLength: 100 }),
      owner: optional(
        Type.String({ description: `A user’s id, or \`${everyone}\`, which it is if left out: all users see it.` }),
      ),
      description: optional(Type.String({ maxLength: 1000 })),
      charts: Type.Array(Chart, { maxItems: 200 }),
      layout: Type.Array(LayoutItem, {
        maxItems: 200,
        description: 'Where the charts stand, in twelve columns; those without a place stand below.',
      }),
      refreshTime: Type.Integer({ minimum: 0, description: 'Seconds between refreshes; 0 for none.' }),
      schemaVersion: Type.Literal(2),
      timeWindowStart: timeWindow('`qr-now-1h`, or milliseconds since the epoch as text.'),
      timeWindowEnd: timeWindow('`qr-now`, or milliseconds since the epoch as text.'),
      uid: optional(uid),
    },
    { ...open, description: 'Members beyond these are kept as they are sent.' },
  ),
);
export type DashboardDocument = Static<typeof DashboardDocument>;

const writeMembers = {
  version: optional(
    Type.Integer({ minimum: 0, description: 'The version that this is based on; another one is a conflict.' }),
  ),
  overwrite: optional(Type.Boolean({ description: 'Write whatever the present version is.' })),
  message: optional(Type.String({ maxLength: 1000, description: 'What changed, for the history that is kept.' })),
};

export const WriteDashboard = named(
  'WriteDashboard',
  Type.Object({ dashboard: DashboardDocument, uid: optional(uid), ...writeMembers }),
);
export type WriteDashboard = Static<typeof WriteDashboard>;

export const PatchChart = named(
  'PatchChart',
  Type.Object({
    chart: AnyObject('JSON merge patch (RFC 7396) of the chart: null removes a member, objects merge.'),
    ...writeMembers,
  }),
);

export const Dashboard = named(
  'Dashboard',
  Type.Object({
    id: Type.String(),
    uid: Type.String(),
    version: Type.Integer(),
    dashboard: AnyObject('The document as it was sent.'),
    createdAt: Type.String({ format: 'date-time' }),
    createdBy: Type.String(),
    updatedAt: Type.String({ format: 'date-time' }),
    updatedBy: Type.String(),
  }),
);

export const WrittenDashboard = named(
  'WrittenDashboard',
  Type.Object({
    status: Type.Union([Type.Literal('created'), Type.Literal('updated')]),
    dashboard: Dashboard,
    overwritten: optional(Type.Boolean({ description: 'The version was not compared.' })),
  }),
);
