import { bytes } from '@millrace/http/route';
import type { EventsEndpoint, Outcome, PartOutcome, Protocol, ParsedRequest, ShipperRequest } from '../protocol.js';
import { bulkFormat } from './encode-bulk.js';
import { type ItemError, mergeItems } from './bulk-items.js';
import { elasticErrors, productHeader, typeOf } from './errors.js';
import { firstIndex, mapperParsingException } from './parse-bulk.js';
import { elasticJson, handshake } from './handshake.js';

/**
 * Elasticsearch's API as Beats, Logstash and other shippers use it: bulk requests, and the requests
 * before them.
 */

/**
 * With the dataset in the path, in the current and an older form; and with the dataset as index.
 */
const bases = ['/v1/ingest/{dataset}/elastic', '/v1/datasets/{dataset}/elastic', '/elastic'] as const;

const options = ({ query }: ShipperRequest) => ({
  // Their media types add no information to the content.
  contentType: '',
  ...(query['timestamp-field'] !== undefined && { timestampField: query['timestamp-field'] }),
  ...(query['timestamp-format'] !== undefined && { timestampFormat: query['timestamp-format'] }),
});

const query = ['timestamp-field', 'timestamp-format'];

/** Without a dataset in the path, each action may name one. */
const datasetsOf = ({
  params: { dataset, index },
  beginning,
}: ShipperRequest): Pick<ParsedRequest, 'dataset' | 'several'> =>
  dataset === undefined ? { dataset: index ?? firstIndex(beginning()), several: true } : {};

/** Error of items whose dataset could not be stored to. */
function refusalOf(parts: readonly PartOutcome[]): ItemError | undefined {
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
  read: (request): ParsedRequest => ({ ...datasetsOf(request), options: options(request) }),
  answer({ parts }: Outcome) {
    const lines = parts.flatMap((part) => ('reply' in part && part.reply.items ? [part.reply.items] : []));
    const items = mergeItems(lines, refusalOf(parts));
    const content = Buffer.concat([Buffer.from('{"took":1,'), items, Buffer.from('}')]);
    return bytes(content, 'application/json', 200, productHeader);
  },
});

const single = (methods: EventsEndpoint['methods'], path: string): EventsEndpoint => ({
  kind: 'events',
  methods,
  path,
  query,
  read: (request): ParsedRequest => ({
    dataset: request.params['index'],
    options: { ...options(request), form: 'document' },
  }),
  answer({ status: { ingested, failures }, request: { params } }: Outcome) {
    if (ingested === 0) {
      const reason = failures[0]?.error ?? 'the document is empty';
      return elasticJson({ error: { type: mapperParsingException, reason }, status: 400 }, 400);
    }
    const { index, id } = params;
    const shards = { total: 1, successful: 1, failed: 0 };
    return elasticJson({ _index: index, _id: id, _version: 1, result: 'created', _shards: shards }, 201);
  },
});

export const elastic: Protocol = {
  title: 'Elasticsearch',
  tokenIn: ['basic', 'apiKey'],
  // Other than 401, programs would not send the credentials that they have.
  badToken: { status: 401 },
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
