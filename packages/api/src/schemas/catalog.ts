import { Type } from 'typebox';
import { DatasetCapabilities, OrgCapabilities, ViewCapabilities } from './capabilities.js';
import { Dataset, DatasetField } from './dataset.js';
import { withTitle, optional } from './parts.js';
import { View, VirtualField } from './query-resources.js';

/** Data for an editor and a navigation page, in one response. */

const DatasetEntry = Type.Object({
  ...Dataset.properties,
  locked: Type.Boolean({ description: 'Whether its schema is locked.' }),
  fields: Type.Array(DatasetField, { description: 'Sorted by name.' }),
});

export const CatalogueAnswer = withTitle(
  'CatalogueAnswer',
  Type.Object({
    principal: Type.Object({
      kind: Type.Union([Type.Literal('api-token'), Type.Literal('personal-token')]),
      tokenId: Type.String(),
      tokenName: Type.String(),
      userId: Type.String({ description: 'The user who owns the personal token, or who created the API token.' }),
      userName: Type.String(),
      email: Type.String(),
      sessionId: optional(Type.String({ description: 'Session of the request, if it has one.' })),
    }),
    capabilities: Type.Array(
      Type.Object({
        datasetCapabilities: DatasetCapabilities,
        orgCapabilities: OrgCapabilities,
        viewCapabilities: ViewCapabilities,
      }),
      { description: 'The caller has a right if any of these grants it.' },
    ),
    autoCreateDatasets: Type.Boolean({ description: 'Whether sending events creates missing datasets.' }),
    datasets: Type.Array(DatasetEntry, { description: 'Datasets that the caller may query or manage.' }),
    virtualFields: Type.Array(VirtualField, { description: 'Virtual fields of these datasets.' }),
    views: Type.Array(View, { description: 'Views that the caller may query.' }),
    organizations: optional(
      Type.Array(Type.Object({ id: Type.String(), name: Type.String(), current: Type.Boolean() }), {
        description: 'Organizations that the caller is a member of, if there are several.',
      }),
    ),
  }),
);
