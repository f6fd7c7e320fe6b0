import { bytes } from '../../http/route.js';
import type { EventsEndpoint, Outcome, Protocol, Reading, ShipperRequest } from '../protocol.js';
import { bulkFormat } from './encode-bulk.js';
import { elasticErrors, productHeader } from './errors.js';
import { elasticJson, handshake } from './handshake.js';

/** Elasticsearch as Beats, Logstash and the outputs of other shippers speak it: bulk requests, and what they ask before. */

const base = '/v1/ingest/{dataset}/elastic';

const options = ({ query }: ShipperRequest) => ({
  // Their media types say nothing that the bytes do not.
  contentType: '',
  ...(query['timestamp-field'] !== undefined && { timestampField: query['timestamp-field'] }),
  ...(query['timestamp-format'] !== undefined && { timestampFormat: query['timestamp-format'] }),
});

const query = ['timestamp-field', 'timestamp-format'];

const bulk = (path: string): EventsEndpoint => ({
  kind: 'events',
  methods: ['POST', 'PUT'],
  path,
  query,
  read: (request): Reading => ({ options: options(request) }),
  answer({ items = Buffer.from('"errors":false,"items":[]') }: Outcome) {
    const content = Buffer.concat([Buffer.from('{"took":1,'), items, Buffer.from('}')]);
    return bytes(content, 'application/json', 200, productHeader);
  },
});

const single = (methods: EventsEndpoint['methods'], path: string): EventsEndpoint => ({
  kind: 'events',
  methods,
  path,
  query,
  read: (request): Reading => ({ options: { ...options(request), form: 'document' } }),
  answer({ status: { ingested, failures }, request: { params } }: Outcome) {
    if (ingested === 0) {
      const { body } = { body: failures[0]?.error ?? 'the document is empty' };
      return elasticJson({ error: { type: 'mapper_parsing_exception', reason: body }, status: 400 }, 400);
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
  endpoints: [
    bulk(`${base}/_bulk`),
    bulk(`${base}/{index}/_bulk`),
    bulk(`${base}/{index}/{type}/_bulk`),
    single(['POST'], `${base}/{index}/_doc`),
    single(['POST', 'PUT'], `${base}/{index}/_doc/{id}`),
    single(['POST', 'PUT'], `${base}/{index}/_create/{id}`),
    ...handshake(base),
  ],
};
