import type { Options } from '../../command/option.js';

/** What the dataset commands share. */

export const datasetArgument = { doc: 'Name of the dataset.' } as const;

export const datasetProperties = {
  description: { type: 'text', short: 'd', metavar: 'TEXT', mayBeEmpty: true, doc: 'What the dataset is for.' },
  retentionDays: {
    type: 'integer',
    min: 0,
    max: 36_500,
    doc: 'Days events are kept; 0 keeps them for ever.',
  },
} as const satisfies Options;

/** The members of a request body for the properties that were given. */
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
