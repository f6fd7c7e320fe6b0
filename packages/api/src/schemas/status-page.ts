import { Type, type Static } from 'typebox';
import { withTitle, oneOf, optional, withMembers } from './parts.js';

/** The public status page: the states of chosen monitors, under names for its readers. */

const StatusPageMonitor = withTitle(
  'StatusPageMonitor',
  Type.Object({
    monitorId: Type.String(),
    name: Type.String({ minLength: 1, maxLength: 256, description: 'What readers see instead of its name.' }),
  }),
);

const writableProperties = {
  enabled: Type.Boolean({ description: 'Whether `/status` is public. Otherwise it does not exist.' }),
  title: Type.String({ minLength: 1, maxLength: 256 }),
  message: optional(Type.String({ maxLength: 4096, description: 'Shown above the states, as plain text.' })),
  monitors: Type.Array(StatusPageMonitor, { maxItems: 100, description: 'In the order of the page.' }),
};

export const WriteStatusPage = withTitle('WriteStatusPage', Type.Object(writableProperties));
export type WriteStatusPage = Static<typeof WriteStatusPage>;

export const StatusPage = withMembers(
  'StatusPage',
  Type.Object(writableProperties),
  Type.Object({
    updatedAt: optional(Type.String({ format: 'date-time' })),
    updatedBy: optional(Type.String({ description: 'ID of the user.' })),
  }),
);
export type StatusPage = Static<typeof StatusPage>;

/** The page as stored. */
export interface StoredStatusPage extends StatusPage {
  readonly id: string;
}

const publicStates = ['operational', 'degraded', 'disrupted', 'unknown'] as const;

export const PublicStatus = withTitle(
  'PublicStatus',
  Type.Object({
    title: Type.String(),
    message: optional(Type.String()),
    state: oneOf(publicStates, { description: 'The worst of all.' }),
    updatedAt: Type.String({ format: 'date-time' }),
    components: Type.Array(
      Type.Object({
        name: Type.String(),
        state: oneOf(publicStates, {
          description:
            '`disrupted` while the monitor is open, `degraded` if its severity is info or warning, `unknown` if it is off or cannot run.',
        }),
        since: optional(Type.String({ format: 'date-time', description: 'Start of the oldest open incident.' })),
        days: Type.Array(Type.Number(), {
          description:
            'Part of each of the last 30 days with an open incident, oldest first. Days before the monitor existed are left out.',
        }),
      }),
    ),
  }),
);
export type PublicStatus = Static<typeof PublicStatus>;
