import { Type, type Static } from 'typebox';
import { AnyObject, withTitle, open, optional, textOf } from './parts.js';

/**
 * Dashboards. Only the core of a document is validated, and all of it is stored verbatim: exported
 * documents have properties and kinds of charts that the interface does not document, and its own
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
    i: Type.String({ description: 'ID of a chart.' }),
    x: optional(Type.Number({ minimum: 0 })),
    y: optional(Type.Number({ minimum: 0 })),
    w: Type.Number({ minimum: 0 }),
    h: Type.Number({ minimum: 0 }),
  },
  open,
);

const timeWindow = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });

/** The validated part of a document. */
export const DashboardDocument = withTitle(
  'DashboardDocument',
  Type.Object(
    {
      name: textOf('written', { minLength: 1, maxLength: 100 }),
      owner: optional(Type.String({ description: `A user’s ID, or \`${everyone}\` (the default) for all users.` })),
      description: optional(Type.String({ maxLength: 1000 })),
      charts: Type.Array(Chart, { maxItems: 200 }),
      layout: Type.Array(LayoutItem, {
        maxItems: 200,
        description: 'Positions of the charts on a grid of 12 columns. Charts without a position are placed below.',
      }),
      refreshTime: Type.Integer({ minimum: 0, description: 'Seconds between refreshes; 0 for none.' }),
      schemaVersion: Type.Literal(2),
      timeWindowStart: timeWindow('`qr-now-1h`, or milliseconds since the epoch as a string.'),
      timeWindowEnd: timeWindow('`qr-now`, or milliseconds since the epoch as a string.'),
      uid: optional(uid),
    },
    { ...open, description: 'Other properties are stored as sent.' },
  ),
);
export type DashboardDocument = Static<typeof DashboardDocument>;

const writeMembers = {
  version: optional(
    Type.Integer({
      minimum: 0,
      description: 'Version that the change is based on; a different current version is a conflict.',
    }),
  ),
  overwrite: optional(Type.Boolean({ description: 'Skip the version check.' })),
  message: optional(
    Type.String({ maxLength: 1000, description: 'Description of the change, for the version history.' }),
  ),
};

export const WriteDashboard = withTitle(
  'WriteDashboard',
  Type.Object({ dashboard: DashboardDocument, uid: optional(uid), ...writeMembers }),
);
export type WriteDashboard = Static<typeof WriteDashboard>;

export const PatchChart = withTitle(
  'PatchChart',
  Type.Object({
    chart: AnyObject('JSON merge patch (RFC 7396) of the chart: null removes a property, objects are merged.'),
    ...writeMembers,
  }),
);

export const Dashboard = withTitle(
  'Dashboard',
  Type.Object({
    id: Type.String(),
    uid: Type.String(),
    version: Type.Integer(),
    dashboard: AnyObject('The document as sent.'),
    createdAt: Type.String({ format: 'date-time' }),
    createdBy: Type.String(),
    updatedAt: Type.String({ format: 'date-time' }),
    updatedBy: Type.String(),
  }),
);

export const WrittenDashboard = withTitle(
  'WrittenDashboard',
  Type.Object({
    status: Type.Union([Type.Literal('created'), Type.Literal('updated')]),
    dashboard: Dashboard,
    overwritten: optional(Type.Boolean({ description: 'Whether the version check was skipped.' })),
    unknownOwner: optional(
      Type.String({
        description:
          'The owner as sent, who is no user here: the dashboard is shared with everyone. Only with `include=unknownOwner`.',
      }),
    ),
  }),
);
