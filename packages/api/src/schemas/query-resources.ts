import { Type, type Static } from 'typebox';
import { AnyObject, anyName, withTitle, optional, textOf, Timestamp, withMembers } from './parts.js';

/** Resources that queries use or produce: annotations, virtual fields, views, saved queries. */

const Id = Type.Object({ id: Type.String() });
const datasets = Type.Array(Type.String({ minLength: 1 }), { maxItems: 1000, description: 'Names of datasets.' });
const description = optional(Type.String({ maxLength: 1024 }));

const annotationMembers = {
  time: optional(Timestamp('When it happened. Default: now.')),
  endTime: optional(Timestamp('When it ended.')),
  title: optional(Type.String({ maxLength: 256 })),
  description: optional(Type.String({ maxLength: 512 })),
  url: optional(Type.String({ maxLength: 512, description: 'Link to more information.' })),
};
const annotationType = textOf('slug', { maxLength: 256, description: 'Kind of event, such as `deploy`.' });
const annotationDatasets = Type.Array(Type.String({ minLength: 1 }), {
  minItems: 1,
  maxItems: 1000,
  description: 'Datasets whose charts show it.',
});

export const CreateAnnotation = withTitle(
  'CreateAnnotation',
  Type.Object({ datasets: annotationDatasets, type: annotationType, ...annotationMembers }),
);
export type CreateAnnotation = Static<typeof CreateAnnotation>;
export const UpdateAnnotation = withTitle(
  'UpdateAnnotation',
  Type.Object({ datasets: optional(annotationDatasets), type: optional(annotationType), ...annotationMembers }),
);
export const Annotation = withMembers(
  'Annotation',
  Type.Object({
    datasets: annotationDatasets,
    type: annotationType,
    time: Type.String({ format: 'date-time' }),
    endTime: optional(Type.String({ format: 'date-time' })),
    title: optional(Type.String()),
    description: optional(Type.String()),
    url: optional(Type.String()),
  }),
  Id,
);
export type Annotation = Static<typeof Annotation>;

export const WriteVirtualField = withTitle(
  'WriteVirtualField',
  Type.Object({
    dataset: Type.String({ minLength: 1 }),
    name: Type.String({ minLength: 1, maxLength: 200, description: 'Name in queries.' }),
    expression: Type.String({ minLength: 1, maxLength: 100_000, description: 'Scalar expression in APL.' }),
    description,
    type: optional(Type.String({ maxLength: 64 })),
    unit: optional(Type.String({ maxLength: 64 })),
  }),
);
export type WriteVirtualField = Static<typeof WriteVirtualField>;
export const VirtualField = withMembers('VirtualField', WriteVirtualField, Id);
export type VirtualField = Static<typeof VirtualField>;

export const WriteView = withTitle(
  'WriteView',
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 128, description: 'Unique name in queries.' }),
    aplQuery: Type.String({ minLength: 1, maxLength: 500_000 }),
    datasets: optional(datasets),
    description,
  }),
);
export type WriteView = Static<typeof WriteView>;
export const View = withMembers(
  'View',
  Type.Object({
    name: Type.String(),
    aplQuery: Type.String(),
    datasets,
    description: Type.String(),
  }),
  Id,
);
export type View = Static<typeof View>;

export const WriteStarredQuery = withTitle(
  'WriteStarredQuery',
  Type.Object({
    kind: optional(Type.Literal('apl')),
    dataset: optional(Type.String()),
    name: Type.String({ minLength: 1, maxLength: 256 }),
    query: AnyObject('Body of a query request; `apl` is required.'),
    metadata: optional(Type.Record(anyName, Type.String(), { description: 'Stored and returned.' })),
    who: optional(
      Type.String({
        description:
          'Owner: `team`, or your user ID. Default: you for a new query, the current owner for a replaced one.',
      }),
    ),
  }),
);
export type WriteStarredQuery = Static<typeof WriteStarredQuery>;
export const StarredQuery = withMembers(
  'StarredQuery',
  Type.Object({
    kind: Type.Literal('apl'),
    dataset: Type.String(),
    name: Type.String(),
    query: AnyObject('The query as saved, always with `queryOptions`.'),
    metadata: Type.Record(anyName, Type.String()),
    who: Type.String(),
    created: Type.String({ format: 'date-time' }),
  }),
  Id,
);
export type StarredQuery = Static<typeof StarredQuery>;
