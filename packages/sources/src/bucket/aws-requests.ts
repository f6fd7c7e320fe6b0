import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { type AddressRules, guardedLookup, blockReason } from '@millrace/http/outgoing/addresses';

export const defaultRegion = 'us-east-1';

/** Longest time without a byte, milliseconds. */
const idleMilliseconds = 60_000;
/** Maximum bytes of a listing or an error: a page of 1000 keys takes a megabyte at most. */
const maxTextBytes = 16 * 1024 * 1024;

interface OutgoingRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent with POST. */
  readonly body?: string;
  /** Names the server in errors. */
  readonly peer: string;
}

interface RequestLimits {
  readonly rules: AddressRules | undefined;
  readonly signal: AbortSignal;
}

/** Sends a request to an address that the rules allow. */
export function sendRequest(
  { url, headers, body, peer }: OutgoingRequest,
  { rules, signal }: RequestLimits,
): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const refusal = rules === undefined || isIP(host) === 0 ? undefined : blockReason(host, rules);
  if (refusal !== undefined) return Promise.reject(new Error(`${host}: ${refusal}`));
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, 'user-agent': 'Millrace' },
      signal,
      ...(rules !== undefined && { lookup: guardedLookup(rules) }),
    });
    request.setTimeout(idleMilliseconds, () => request.destroy(new Error(`${peer} does not answer`)));
    request.on('response', resolve).on('error', reject);
    request.end(body);
  });
}

export async function textOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > maxTextBytes) throw new Error(`the response is longer than ${maxTextBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
