import { bytes } from '../../http/route.js';
import type { EventsEndpoint, Outcome, PartOutcome, Protocol, Reading, ShipperRequest } from '../protocol.js';
import { bulkFormat } from './encode-bulk.js';
import { type ItemError, mergeItems } from './bulk-items.js';
import { elasticErrors, productHeader, typeOf } from './errors.js';
import { firstIndex, parsing } from './read-bulk.js';
import { elasticJson, handshake } from './handshake.js';

/**
 * Elasticsearch as Beats, Logstash and the outputs of other shippers speak it: bulk requests, and
 * what they ask before.
 */

/**
 * With the dataset in the path, as of now and as an older generation of documentation has it; and
 * where the index is the dataset.
 */
const bases = ['/v1/ingest/{dataset}/elastic', '/v1/datasets/{dataset}/elastic', '/elastic'] as const;

const options = ({ query }: ShipperRequest) => ({
  // Their media types say nothing that the bytes do not.
  contentType: '',
  ...(query['timestamp-field'] !== undefined && { timestampField: query['timestamp-field'] }),
  ...(query['timestamp-format'] !== undefined && { timestampFormat: query['timestamp-format'] }),
});

const query = ['timestamp-field', 'timestamp-format'];

/** Where no dataset is in the path, each action may name its own. */
const datasetsOf = ({ params: { dataset, index }, beginning }: ShipperRequest): Pick<Reading, 'dataset' | 'several'> =>
  dataset === undefined ? { dataset: index ?? firstIndex(beginning()), several: true } : {};

/** What is said of items whose dataset could not be stored to. */
function untold(parts: readonly PartOutcome[]): ItemError | undefined {
  const refused = parts.flatMap((part) => ('refused' in part ? [part.refused] : []))[0];
  if (refused === undefined) return undefined;
  const status = refused.code === 'forbidden' ? 403 : 404;
  return { status, type: typeOf(status), reason: refused.message };
}

const bulk = (path: string): EventsEndpoint => ({
  kind: 'events',
  methods: ['POST', 'PUT'],
  path,
  query,
  read: (request): Reading => ({ ...datasetsOf(request), options: options(request) }),
  answer({ parts }: Outcome) {
    const lines = parts.flatMap((part) => ('reply' in part && part.reply.items ? [part.reply.items] : []));
    const items = mergeItems(lines, untold(parts));
    const content = Buffer.concat([Buffer.from('{"took":1,'), items, Buffer.from('}')]);
    return bytes(content, 'application/json', 200, productHeader);
  },
});

const single = (methods: EventsEndpoint['methods'], path: string): EventsEndpoint => ({
  kind: 'events',
  methods,
  path,
  query,
  read: (request): Reading => ({
    dataset: request.params['index'],
    options: { ...options(request), form: 'document' },
  }),
  answer({ status: { ingested, failures }, request: { params } }: Outcome) {
    if (ingested === 0) {
      const reason = failures[0]?.error ?? 'the document is empty';
      return elasticJson({ error: { type: parsing, reason }, status: 400 }, 400);
    }
    const { index, id } = params;
    const shards = { total: 1, successful: 1, failed: 0 };
    return elasticJson({ _index: index, _id: id, _version: 1, result: 'created', _shards: shards }, 201);
  },
});

export const elastic: Protocol = {
  title: 'Elasticsearch',
  tokenIn: ['basic', 'apiKey'],
  errorForm: elasticErrors,
  format: bulkFormat,
  endpoints: bases.flatMap((base) => [
    bulk(`${base}/_bulk`),
    bulk(`${base}/{index}/_bulk`),
    bulk(`${base}/{index}/{type}/_bulk`),
    single(['POST'], `${base}/{index}/_doc`),
    single(['POST', 'PUT'], `${base}/{index}/_doc/{id}`),
    single(['POST', 'PUT'], `${base}/{index}/_create/{id}`),
    ...handshake(base),
  ]),
};
