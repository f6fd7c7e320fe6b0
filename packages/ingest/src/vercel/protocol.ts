import { createHmac, timingSafeEqual } from 'node:crypto';
import { encodeJson } from '@millrace/events';
import { httpError } from '@millrace/api/errors';
import { empty, json } from '@millrace/http/route';
import { EventLines } from '../event-lines.js';
import { threadFromBytes } from '../formats/format.js';
import type { Protocol, ShipperRequest } from '../protocol.js';
import { defaultErrors } from '../default-errors.js';
import { readLogs } from './parse-logs.js';

/**
 * Vercel's drains: JSON verbatim or with renamed fields, the header that verifies an endpoint, and
 * signatures.
 */

const path = '/v1/ingest/{dataset}/vercel';
const signature = 'x-vercel-signature';

/** The value that Vercel shows for the endpoint, which the address of the drain repeats. */
const verification = ({ query: { verify } }: ShipperRequest): Readonly<Record<string, string>> =>
  verify === undefined || !/^[\x21-\x7e]+$/.test(verify) ? {} : { 'x-vercel-verify': verify };

/** @throws HttpError `unauthenticated` if a secret is set and the body was not signed with it */
function requireSignature({ headers, body }: ShipperRequest, secret: string | undefined): void {
  if (secret === undefined) return;
  const wanted = createHmac('sha1', secret).update(body).digest('hex');
  const sent = Buffer.from(headers[signature] ?? '');
  if (sent.length !== wanted.length || !timingSafeEqual(sent, Buffer.from(wanted)))
    throw httpError('forbidden', { need: `a ${signature} that the secret of this server makes` });
}

export const vercel: Protocol = {
  title: 'Vercel drains',
  tokenIn: ['basic'],
  badToken: { status: 401 },
  errorForm: defaultErrors,
  format: {
    mediaTypes: [],
    detects: () => true,
    threadFrom: threadFromBytes,
    encode(body, { form, limits }, encodeOptions) {
      if (form !== 'mapped') return encodeJson(body, encodeOptions);
      const { timestampField: _, ...options } = encodeOptions;
      const lines = new EventLines(1.2 * body.length, limits.maxDecompressedBytes, options);
      readLogs(body, lines);
      return lines.encode();
    },
  },
  endpoints: [
    {
      kind: 'events',
      methods: ['POST'],
      path,
      query: ['verify', 'fields'],
      headers: [signature],
      read(request, { vercelSecret }) {
        requireSignature(request, vercelSecret);
        const { fields } = request.query;
        if (fields !== undefined && fields !== 'axiom' && fields !== 'vercel')
          throw httpError('invalid-request', { problem: "the query parameter 'fields' is either axiom or vercel" });
        return { options: { timestampField: 'timestamp', ...(fields === 'axiom' && { form: 'mapped' }) } };
      },
      answer: ({ status, request }) => json(status, 200, verification(request)),
    },
    {
      kind: 'handshake',
      methods: ['GET'],
      path,
      query: ['verify'],
      // Requested before the drain has a token; the response contains only what the request sent.
      open: true,
      answer: (request) => ({ ...empty(200), headers: verification(request) }),
    },
  ],
};
