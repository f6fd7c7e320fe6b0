import type { Options } from '../../command/option.js';

/** Shared by the dataset commands. */

export const datasetArgument = { doc: 'Name of the dataset.' } as const;

export const datasetProperties = {
  description: { type: 'text', short: 'd', metavar: 'TEXT', mayBeEmpty: true, doc: 'Description.' },
  retentionDays: {
    type: 'integer',
    min: 0,
    max: 36_500,
    doc: 'Retention in days; 0 keeps events forever.',
  },
} as const satisfies Options;

const role = (what: string) =>
  ({ type: 'text', metavar: 'FIELD', mayBeEmpty: true, doc: `Field with ${what}; '' removes the choice.` }) as const;

/** Query of requests whose response shows the fields with a role. */
export const withRoles = { include: 'fieldRoles' } as const;

/** Options for fields with a role. */
export const roleProperties = {
  timeField: role('the event time of new events, unless a request names one'),
  messageField: role('the message, in the console'),
  levelField: role('the level, in the console'),
  serviceField: role('the service, in the console'),
} satisfies Options;

/** Chosen fields of a request from the options given. */
export function rolesIn(options: { readonly [Role in keyof typeof roleProperties]: string | undefined }) {
  const roles = {
    ...(options.timeField !== undefined && { time: options.timeField }),
    ...(options.messageField !== undefined && { message: options.messageField }),
    ...(options.levelField !== undefined && { level: options.levelField }),
    ...(options.serviceField !== undefined && { service: options.serviceField }),
  };
  return Object.keys(roles).length === 0 ? {} : { fieldRoles: roles };
}

/** Request properties from the options given. */
export const propertiesIn = ({
  description,
  retentionDays,
}: {
  readonly description: string | undefined;
  readonly retentionDays: number | undefined;
}) => ({
  ...(description !== undefined && { description }),
  ...(retentionDays !== undefined && { retentionDays, useRetentionPeriod: retentionDays > 0 }),
});
