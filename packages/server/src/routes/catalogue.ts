import { hash } from 'node:crypto';
import { Type } from 'typebox';
import { noToken } from '../access/authenticate.js';
import { fieldsOf } from '../datasets/fields.js';
import { httpError } from '../errors.js';
import { bytes, empty, route, type Call, type Route } from '../http/route.js';
import { CatalogueAnswer } from '../schemas/catalogue.js';
import { optional } from '../schemas/parts.js';
import { datasetV2 } from './datasets-v2.js';
import type { Deps } from './deps.js';
import { requestBounds } from '../bounds.js';

/** Of each dataset in any case. */
const leastFields = 20;

/**
 * Everything that an editor completes and a page leads to, in one request, which costs a hash as
 * long as nothing changes.
 */
export const catalogueRoutes = (deps: Deps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/v2/catalogue',
    operation: 'getCatalogue',
    tag: 'Datasets',
    summary: 'What there is to query, and what you may do',
    description:
      'Datasets with their fields (of each as many as it has, if all datasets together can have as many without going beyond 20,000), virtual fields and views, as far as you may query them, and your rights. With `If-None-Match` it is sent only if it has changed.',
    need: { scope: 'login' },
    request: { headers: Type.Object({ 'if-none-match': optional(Type.String()) }) },
    responses: {
      200: { description: 'The catalogue; the header `ETag` names its version.', schema: CatalogueAnswer },
      304: { description: 'It is as it was.' },
    },
    examples: [{ summary: 'The catalogue' }],
    handle: async (call) => {
      const text = JSON.stringify(await catalogueOf(call, deps));
      const etag = `"${hash('sha256', text, 'hex').slice(0, 32)}"`;
      // A browser may keep it for itself, and asks each time whether it still holds.
      const headers = { etag, 'cache-control': 'private, no-cache', vary: 'Authorization, Cookie' };
      // A tag comes back marked as weak if the answer was compressed on its way.
      if (call.headers['if-none-match']?.replace(/^W\//, '') === etag) return empty(304, headers);
      return bytes(text, 'application/json; charset=utf-8', 200, headers);
    },
  }),
];

async function catalogueOf({ principal, may }: Pick<Call, 'principal' | 'may'>, deps: Deps) {
  if (principal.kind === 'anonymous') throw httpError('unauthenticated', { reason: noToken });
  const { metadata, settings } = deps;
  const { kind, tokenId, tokenName, userId, sessionId, capabilities } = principal;
  const user = await metadata.users.find(userId);
  const sees = (name: string): boolean =>
    may({ scope: 'dataset', name, resource: 'query', action: 'read' }) ||
    may({ scope: 'org', resource: 'datasets', action: 'read' });
  const datasets = metadata.datasets.list().filter(({ name }) => sees(name));
  const fields = await Promise.all(datasets.map((record) => fieldsOf(deps, record)));
  const most = Math.max(leastFields, Math.floor(requestBounds.catalogueFields.most / Math.max(1, fields.length)));
  const names = new Set(datasets.map(({ name }) => name));
  return {
    principal: {
      kind,
      tokenId,
      tokenName,
      userId,
      userName: user?.name ?? '',
      email: user?.email ?? '',
      ...(sessionId !== undefined && { sessionId }),
    },
    capabilities: capabilities.map(({ datasetCapabilities, orgCapabilities, viewCapabilities }) => ({
      datasetCapabilities,
      orgCapabilities,
      viewCapabilities,
    })),
    autoCreateDatasets: settings.autoCreateDatasets,
    datasets: datasets.map((record, i) => ({
      ...datasetV2(record),
      locked: record.schema !== undefined,
      fields: fields[i]!.some(most),
    })),
    virtualFields: (await metadata.virtualFields.list()).filter(({ dataset }) => names.has(dataset)),
    views: (await metadata.views.list()).filter(({ name }) => may({ scope: 'query', name })),
  };
}
