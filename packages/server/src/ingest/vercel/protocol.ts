import { encodeJson } from '@millrace/events';
import { empty, json } from '../../http/route.js';
import { usualErrors } from '../usual-errors.js';
import { usualThreadFrom } from '../formats/format.js';
import type { Protocol, ShipperRequest } from '../protocol.js';

/** Drains of Vercel: JSON as it is, and the header by which an endpoint shows that it is wanted. */

const path = '/v1/ingest/{dataset}/vercel';

/** The value that Vercel shows for the endpoint, which the address of the drain repeats. */
const verification = ({ query: { verify } }: ShipperRequest): Readonly<Record<string, string>> =>
  verify === undefined || !/^[\x21-\x7e]+$/.test(verify) ? {} : { 'x-vercel-verify': verify };

export const vercel: Protocol = {
  title: 'Vercel drains',
  tokenIn: [],
  errorForm: usualErrors,
  format: {
    mediaTypes: [],
    detects: () => true,
    threadFrom: usualThreadFrom,
    encode: (body, _, encodeOptions) => encodeJson(body, encodeOptions),
  },
  endpoints: [
    {
      kind: 'events',
      methods: ['POST'],
      path,
      query: ['verify'],
      read: () => ({ options: { timestampField: 'timestamp' } }),
      answer: ({ status, request }) => json(status, 200, verification(request)),
    },
    {
      kind: 'handshake',
      methods: ['GET'],
      path,
      query: ['verify'],
      // Asked before the drain has a token; it says nothing that the asker did not say.
      open: true,
      answer: (request) => ({ ...empty(200), headers: verification(request) }),
    },
  ],
};
