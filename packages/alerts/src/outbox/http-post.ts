import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { connectionProblem } from '@millrace/runtime/connection-problem';
import type { HttpRequest } from '../channels/channel.js';
import { BlockedAddressError, guardedLookup, blockReason } from '@millrace/http/outgoing/addresses';
import { notifierAddresses } from './notifier-addresses.js';
import type { PostResult } from './sender.js';

interface PostOptions {
  readonly allowsPrivate: boolean;
  /** Timeout of the complete request, milliseconds. */
  readonly timeout: number;
}

/** Maximum bytes of a response to read. */
const maxBytes = 64 * 1024;

/** Posts to an address that may be called. Follows no redirects. Never throws. */
export async function httpPost(
  { method, url, headers, body }: HttpRequest,
  { allowsPrivate, timeout }: PostOptions,
  signal: AbortSignal,
): Promise<PostResult> {
  if (!URL.canParse(url)) return { kind: 'none', problem: 'the address cannot be read', final: true };
  const target = new URL(url);
  const rules = notifierAddresses(allowsPrivate);
  // Names are resolved and checked when the connection is made; literal addresses must be checked
  // here.
  const host = target.hostname.replace(/^\[|\]$/g, '');
  const refusal = isIP(host) === 0 ? undefined : blockReason(host, rules);
  if (refusal !== undefined) return { kind: 'none', problem: `${host}: ${refusal}`, final: true };
  const late = AbortSignal.timeout(timeout);
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const send = target.protocol === 'https:' ? requestHttps : requestHttp;
      const sending = send(target, {
        method: method ?? 'POST',
        agent: false,
        lookup: guardedLookup(rules),
        signal: AbortSignal.any([signal, late]),
        headers: { 'user-agent': 'Millrace', ...headers, 'content-length': Buffer.byteLength(body) },
      });
      sending.on('response', resolve).on('error', reject);
      sending.end(body);
    });
    return { kind: 'answer', answer: await read(answer) };
  } catch (error) {
    if (error instanceof BlockedAddressError) return { kind: 'none', problem: error.message, final: true };
    if (late.aborted) return { kind: 'none', problem: `no answer within ${timeout / 1000} s`, final: false };
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // An invalid header stays invalid.
    const final = code.startsWith('ERR_');
    return { kind: 'none', problem: final ? 'a header of it cannot be sent' : connectionProblem(code), final };
  }
}

async function read(answer: IncomingMessage) {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= maxBytes) break;
    }
  } catch (error) {
    // The status decides; a truncated body does not invalidate a success.
    if (answer.statusCode === undefined || answer.statusCode >= 300) throw error;
  }
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
  return {
    status: answer.statusCode ?? 0,
    headers,
    text: Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8'),
  };
}
