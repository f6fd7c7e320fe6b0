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
