import { Type } from 'typebox';
import { DatasetCapabilities, OrgCapabilities, ViewCapabilities } from './capabilities.js';
import { Dataset, DatasetField } from './dataset.js';
import { named, optional } from './parts.js';
import { View, VirtualField } from './query-resources.js';

/** What an editor and a page of navigation need, in one answer. */

const DatasetEntry = Type.Object({
  ...Dataset.properties,
  locked: Type.Boolean({ description: 'Its schema is locked.' }),
  fields: Type.Array(DatasetField, { description: 'In the order of their names.' }),
});

export const CatalogueAnswer = named(
  'CatalogueAnswer',
  Type.Object({
    principal: Type.Object({
      kind: Type.Union([Type.Literal('api-token'), Type.Literal('personal-token')]),
      tokenId: Type.String(),
      tokenName: Type.String(),
      userId: Type.String({ description: 'Whose personal token it is, or who made the API token.' }),
      userName: Type.String(),
      email: Type.String(),
      sessionId: optional(Type.String({ description: 'Of the browser that asks, if it is signed in.' })),
    }),
    capabilities: Type.Array(
      Type.Object({
        datasetCapabilities: DatasetCapabilities,
        orgCapabilities: OrgCapabilities,
        viewCapabilities: ViewCapabilities,
      }),
      { description: 'A right that any of these gives is held.' },
    ),
    autoCreateDatasets: Type.Boolean({ description: 'Events make the dataset that they are sent to.' }),
    datasets: Type.Array(DatasetEntry, { description: 'Those that the caller may query or look after.' }),
    virtualFields: Type.Array(VirtualField, { description: 'Of those datasets.' }),
    views: Type.Array(View, { description: 'Those that the caller may query.' }),
  }),
);
