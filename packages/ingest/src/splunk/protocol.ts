import { type RouteResponse, bytes } from '@millrace/http/route';
import { JsonScan } from '../bytes/json-scan.js';
import type {
  EventsEndpoint,
  HandshakeEndpoint,
  Outcome,
  Protocol,
  ParsedRequest,
  ShipperRequest,
} from '../protocol.js';
import { hecFormat } from './encode-hec.js';
import { hecErrors, hecFailure, hecText } from './errors.js';

/** Splunk's HTTP Event Collector, at the root of the host, where its clients expect it. */

const json = 'application/json';
const respond = (text: string, code: number, status = 200): RouteResponse => bytes(hecText(text, code), json, status);

/** The index of the first envelope: the dataset of envelopes that name none. */
function indexOf(beginning: Buffer): string | undefined {
  const scan = new JsonScan(beginning);
  let at = scan.behindSpace(0);
  if (scan.isList(at)) at = scan.behindSpace(at + 1);
  if (!scan.isObject(at)) return undefined;
  let index: unknown;
  // A truncated envelope is visited up to its end.
  scan.members(at, (nameStart, nameEnd, start, end) => {
    if (scan.is('index', nameStart, nameEnd)) index = scan.value(start, end);
  });
  return typeof index === 'string' && index !== '' ? index : undefined;
}

/** Endpoint for envelopes, or for lines of text. */
const sendingEndpoint = (form: 'event' | 'raw', path: string): EventsEndpoint => ({
  kind: 'events',
  methods: ['POST'],
  path,
  query: ['index', 'host', 'source', 'sourcetype', 'channel', 'time', 'token'],
  headers: ['x-splunk-request-channel'],
  read({ query, body, beginning }: ShipperRequest): ParsedRequest | { readonly answer: RouteResponse } {
    if (body.length === 0) return { answer: respond('No data', 5, 400) };
    const { index, host, source, sourcetype, time } = query;
    return {
      dataset: index ?? (form === 'event' ? indexOf(beginning()) : undefined),
      options: { form },
      ...(form === 'event' && { several: true }),
      labels: { host, source, sourcetype, ...(form === 'raw' && { _time: time }) },
    };
  },
  answer({ parts, status }: Outcome) {
    const { ingested, failed, failures } = status;
    const refused = parts.flatMap((part) => ('refused' in part ? [part.refused.message] : []));
    if (refused.length > 0)
      return bytes(JSON.stringify({ text: 'Incorrect index', code: 7, message: refused.join('; ') }), json, 400);
    if (ingested > 0) return respond('Success', 0);
    if (failed === 0) return respond('No data', 5, 400);
    const [first] = failures;
    const { text, code } = hecFailure(first?.error);
    return bytes(JSON.stringify({ text, code, 'invalid-event-number': 0, message: first?.error }), json, 400);
  },
});

const paths = {
  event: ['/services/collector', '/services/collector/event', '/services/collector/event/1.0'],
  raw: ['/services/collector/raw', '/services/collector/raw/1.0'],
} as const;

/** Docker's log driver requests this before it starts a container. */
const verification = (path: string): HandshakeEndpoint => ({
  kind: 'handshake',
  methods: ['OPTIONS'],
  path,
  open: true,
  answer: () => respond('Success', 0),
});

const health = (path: string): HandshakeEndpoint => ({
  kind: 'handshake',
  methods: ['GET'],
  path,
  open: true,
  answer: () => respond('HEC is healthy', 17),
});

export const splunk: Protocol = {
  title: 'Splunk HEC',
  tokenIn: ['splunk', 'basic'],
  badToken: { status: 403, missing: 401 },
  errorForm: hecErrors,
  format: hecFormat,
  endpoints: [
    ...paths.event.map((path) => sendingEndpoint('event', path)),
    ...paths.raw.map((path) => sendingEndpoint('raw', path)),
    ...[...paths.event, ...paths.raw].map(verification),
    ...['/services/collector/health', '/services/collector/health/1.0'].map(health),
    {
      kind: 'handshake',
      methods: ['POST'],
      path: '/services/collector/ack',
      // A success already means that the events are on disk.
      answer: () => respond('ACK is disabled', 14, 400),
    },
  ],
};
