import type { FieldType } from '@millrace/events';
import { Type, type Static } from 'typebox';
import { withTitle, oneOf, optional, textOf } from './parts.js';

/** The parameter of a path that names a dataset. */
export const DatasetParameter = Type.Object({ id: Type.String({ minLength: 1, description: 'Name of the dataset.' }) });

const datasetKinds = ['axiom:events:v1', 'otel:logs:v1', 'otel:traces:v1', 'otel:metrics:v1'] as const;
export type DatasetKind = (typeof datasetKinds)[number];
const metricsKind: DatasetKind = 'otel:metrics:v1';

/** Whether a dataset of this kind stores metrics, and not events. */
export const isMetrics = (kind: string | undefined): boolean => kind === metricsKind;

const Kind = oneOf(datasetKinds, {
  description:
    'Kind of data. Datasets for OpenTelemetry logs and traces are created with the map field `attributes.custom`. Datasets for metrics accept only metrics.',
  default: 'axiom:events:v1',
});

const description = optional(textOf('written', { maxLength: 1024, description: 'Purpose of the dataset.' }));
const useRetentionPeriod = optional(Type.Boolean({ description: 'Delete events older than `retentionDays`.' }));
const retentionDays = optional(
  Type.Integer({ minimum: 0, maximum: 36_500, description: 'Retention in days; 0 keeps events forever.' }),
);
const edgeDeployment = optional(
  textOf('written', { maxLength: 128, description: 'Stored and returned; no other effect.' }),
);

const fieldRole = (what: string) =>
  optional(textOf('written', { maxLength: 200, description: `Field with ${what}. Default, and if empty: detected.` }));

/** Fields with a role that their names do not show. */
export const FieldRoles = withTitle(
  'FieldRoles',
  Type.Object({
    time: optional(
      textOf('written', {
        maxLength: 200,
        description:
          'Field that supplies `_time`, for native and webhook requests without `timestamp-field`. Default, and if empty: `_time`.',
      }),
    ),
    message: fieldRole('the message'),
    level: fieldRole('the level'),
    service: fieldRole('the service'),
  }),
);
export type FieldRoles = Static<typeof FieldRoles>;

const fieldRoles = optional(FieldRoles);

export const CreateDataset = withTitle(
  'CreateDataset',
  Type.Object({
    name: Type.String({
      description:
        'Unique name: 1 to 128 letters, digits, `-`, `_` and `.`, starting and ending with a letter or digit.',
    }),
    description,
    kind: optional(Kind),
    edgeDeployment,
    retentionDays,
    useRetentionPeriod,
    fieldRoles,
  }),
);
export type CreateDataset = Static<typeof CreateDataset>;

export const UpdateDataset = withTitle(
  'UpdateDataset',
  Type.Object({ description, retentionDays, useRetentionPeriod, fieldRoles }),
);
export type UpdateDataset = Static<typeof UpdateDataset>;

export const Dataset = withTitle(
  'Dataset',
  Type.Object({
    id: Type.String({ description: 'Same as `name`.' }),
    name: Type.String(),
    description: Type.String(),
    who: Type.String({ description: 'Who created it.' }),
    created: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
    kind: Kind,
    canWrite: Type.Boolean({ description: 'Whether it accepts events; false for the audit log.' }),
    useRetentionPeriod: Type.Boolean(),
    retentionDays: Type.Integer(),
    mapFields: Type.Array(Type.String()),
    edgeDeployment: Type.String(),
    // Only with `include=fieldRoles`.
    fieldRoles,
  }),
);
export type Dataset = Static<typeof Dataset>;

export const CreateDatasetV1 = withTitle(
  'CreateDatasetV1',
  Type.Object({
    name: CreateDataset.properties.name,
    description,
    edgeDeployment,
    region: optional(textOf('written', { maxLength: 128, description: 'Older name of `edgeDeployment`.' })),
  }),
);
export const UpdateDatasetV1 = withTitle('UpdateDatasetV1', Type.Object({ description }));
export const DatasetV1 = withTitle(
  'DatasetV1',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    who: Type.String(),
    created: Type.String({ format: 'date-time' }),
    region: optional(Type.String()),
    edgeDeployment: optional(Type.String()),
  }),
);

export const TrimOptions = withTitle(
  'TrimOptions',
  Type.Object({
    maxDuration: Type.String({ description: 'Age of the oldest events to keep, more than 0: `30d`, `1h30m` or `1s`.' }),
  }),
);
export const TrimResult = withTitle(
  'TrimResult',
  Type.Object({ numDeleted: Type.Integer({ description: 'Number of deleted events.' }) }),
);
export const VacuumResult = withTitle(
  'VacuumResult',
  Type.Object({ fields: Type.Array(Type.String(), { description: 'Removed fields; no stored event has them.' }) }),
);

export const DatasetField = withTitle(
  'DatasetField',
  Type.Object({
    name: Type.String(),
    type: Type.String({ description: 'One type, or several joined by `|`; empty while no event has the field.' }),
    unit: Type.String(),
    hidden: Type.Boolean(),
    description: Type.String(),
  }),
);
export type DatasetField = Static<typeof DatasetField>;

export const UpdateField = withTitle(
  'UpdateField',
  Type.Object({
    name: optional(Type.String()),
    type: optional(Type.String()),
    unit: optional(textOf('written', { maxLength: 64 })),
    hidden: optional(Type.Boolean()),
    description: optional(textOf('written', { maxLength: 1024 })),
  }),
);

export const DatasetFields = withTitle(
  'DatasetFields',
  Type.Object({ datasetName: Type.String(), fields: Type.Array(DatasetField) }),
);

export const MapField = withTitle('MapField', Type.Object({ name: Type.String() }));
export const MapFields = Type.Array(Type.String(), { maxItems: 10_000, description: 'Full names of the map fields.' });

export const DatasetInfo = withTitle(
  'DatasetInfo',
  Type.Object({
    name: Type.String(),
    numBlocks: Type.Integer(),
    numEvents: Type.Integer(),
    numFields: Type.Integer(),
    inputBytes: Type.Integer(),
    inputBytesHuman: Type.String(),
    compressedBytes: Type.Integer(),
    compressedBytesHuman: Type.String(),
    minTime: optional(Type.String({ format: 'date-time' })),
    maxTime: optional(Type.String({ format: 'date-time' })),
    fields: Type.Array(DatasetField),
    who: Type.String(),
    created: Type.String({ format: 'date-time' }),
  }),
);

const fieldTypes = [
  'integer',
  'float',
  'string',
  'boolean',
  'datetime',
  'array',
  'map',
] as const satisfies readonly FieldType[];

export const DeclaredField = withTitle(
  'DeclaredField',
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 200, description: 'Full name of the field.' }),
    types: Type.Array(oneOf(fieldTypes), { minItems: 1, uniqueItems: true, description: 'Types its values may have.' }),
  }),
);
export type DeclaredField = Static<typeof DeclaredField>;

export const LockedSchema = withTitle(
  'LockedSchema',
  Type.Object({
    fields: Type.Array(DeclaredField, {
      maxItems: 10_000,
      description: 'Fields that are stored in addition to `_time`; others are dropped.',
    }),
  }),
);
