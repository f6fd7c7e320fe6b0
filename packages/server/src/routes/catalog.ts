import { hash } from 'node:crypto';
import { Type } from 'typebox';
import { anonymous } from '@millrace/http/access/authenticate';
import { fieldsOf } from '@millrace/metadata/datasets/fields';
import { httpError } from '@millrace/api/errors';
import { bytes, empty, route, type RequestContext, type Route } from '@millrace/http/route';
import { CatalogueAnswer } from '@millrace/api/schemas/catalog';
import { optional } from '@millrace/api/schemas/parts';
import type { AuthenticatedPrincipal } from '@millrace/http/access/authorize';
import { membershipsOf } from '../orgs/people.js';
import { datasetV2 } from './datasets-v2.js';
import type { Deps } from './deps.js';
import { requestBounds } from '@millrace/api/limits';

/** Minimum for the limit of fields per dataset. */
const minFields = 20;

/**
 * All data for completion and navigation, in one request, which costs one hash while nothing
 * changes.
 */
export const catalogRoutes = (deps: Deps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/v2/catalogue',
    operation: 'getCatalogue',
    tag: 'Datasets',
    summary: 'Get the catalog and your permissions',
    description:
      'Datasets with their fields, virtual fields and views that you may query, and your rights. Each dataset lists at most an equal share of 20,000 fields, or 20 if the share is smaller. With `If-None-Match`, the response is 304 if nothing changed.',
    need: { scope: 'login' },
    request: { headers: Type.Object({ 'if-none-match': optional(Type.String()) }) },
    responses: {
      200: { description: 'The catalog; the header `ETag` has its version.', schema: CatalogueAnswer },
      304: { description: 'Not modified.' },
    },
    examples: [{ summary: 'The catalog' }],
    handle: async (call) => {
      const text = JSON.stringify(await catalogOf(call, deps));
      const etag = `"${hash('sha256', text, 'hex').slice(0, 32)}"`;
      // Browsers may cache it, and revalidate each time.
      const headers = { etag, 'cache-control': 'private, no-cache', vary: 'Authorization, Cookie, X-Axiom-Org-Id' };
      // Proxies that compress the response mark the tag as weak.
      if (call.headers['if-none-match']?.replace(/^W\//, '') === etag) return empty(304, headers);
      return bytes(text, 'application/json; charset=utf-8', 200, headers);
    },
  }),
];

async function catalogOf({ principal, may }: Pick<RequestContext, 'principal' | 'may'>, deps: Deps) {
  if (principal.kind === 'anonymous') throw httpError('unauthenticated', { reason: anonymous });
  const { metadata, settings } = deps;
  const { kind, tokenId, tokenName, userId, sessionId, capabilities } = principal;
  const user = await metadata.users.find(userId);
  const sees = (name: string): boolean =>
    may({ scope: 'dataset', name, resource: 'query', action: 'read' }) ||
    may({ scope: 'org', resource: 'datasets', action: 'read' });
  const datasets = metadata.datasets.list().filter(({ name }) => sees(name));
  const fields = await Promise.all(datasets.map((record) => fieldsOf(deps, record)));
  const max = Math.max(minFields, Math.floor(requestBounds.catalogFields.max / Math.max(1, fields.length)));
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
      ...datasetV2(record, 'fieldRoles'),
      locked: record.schema !== undefined,
      fields: fields[i]!.some(max),
    })),
    virtualFields: (await metadata.virtualFields.list()).filter(({ dataset }) => names.has(dataset)),
    views: (await metadata.views.list()).filter(({ name }) => may({ scope: 'query', name })),
    ...(await organizationsOf(principal, deps)),
  };
}

/** The organizations of a person, if there are several. */
async function organizationsOf({ identity }: AuthenticatedPrincipal, { metadata, every }: Deps) {
  if (identity === undefined) return {};
  const [own, joined] = [await metadata.org.get(), await membershipsOf(every, identity)];
  const organizations = joined.map(({ record: { id, name } }) => ({ id, name, current: id === own.id }));
  return organizations.length < 2 ? {} : { organizations };
}
