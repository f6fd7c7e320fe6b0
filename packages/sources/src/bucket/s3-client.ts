import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { AwsV4Signer } from 'aws4fetch';
import type { SourcePropertiesOf } from '@millrace/api/schemas/source';
import { type AddressRules, guardedLookup, refusalOf } from '@millrace/http/outgoing/addresses';
import { type Listing, parseListing } from './parse-listing.js';

type Properties = SourcePropertiesOf<'bucket'>;

/** Longest time without a byte, milliseconds. */
const idleMilliseconds = 60_000;
/** Maximum bytes of a listing or an error: a page of 1000 keys takes a megabyte at most. */
const maxTextBytes = 16 * 1024 * 1024;

/** Reads a bucket of AWS or of an S3-compatible server. */
export class S3Client {
  readonly #properties: Properties;
  readonly #base: URL;
  readonly #rules: AddressRules | undefined;
  readonly #signal: AbortSignal;

  constructor(properties: Properties, rules: AddressRules | undefined, signal: AbortSignal) {
    this.#properties = properties;
    this.#base = endpointOf(properties);
    this.#rules = rules;
    this.#signal = signal;
  }

  /** A page of the objects, in the order of their keys. */
  async list(from: { readonly after?: string | undefined; readonly token?: string | undefined }): Promise<Listing> {
    const { prefix } = this.#properties;
    const query = new URLSearchParams({ 'list-type': '2', 'encoding-type': 'url' });
    if (prefix !== undefined && prefix !== '') query.set('prefix', prefix);
    if (from.token !== undefined) query.set('continuation-token', from.token);
    else if (from.after !== undefined && from.after !== '') query.set('start-after', from.after);
    const response = await this.#get(`?${query.toString()}`);
    return parseListing(await textOf(response));
  }

  /**
   * Content of an object.
   * @param etag fails if the object was replaced
   * @param range first and last byte
   */
  async read(key: string, etag: string, range?: readonly [first: number, last: number]): Promise<IncomingMessage> {
    const path = key.split('/').map(encodeSegment).join('/');
    return this.#get(path, {
      'if-match': etag,
      ...(range !== undefined && { range: `bytes=${range[0]}-${range[1]}` }),
    });
  }

  async #get(relative: string, headers: Readonly<Record<string, string>> = {}): Promise<IncomingMessage> {
    const url = `${this.#base.href}${relative}`;
    const signed = { ...headers, ...(await this.#signature(url)) };
    const response = await this.#send(new URL(url), signed);
    const { statusCode = 0 } = response;
    if (statusCode >= 200 && statusCode < 300) return response;
    const text = await textOf(response).catch(() => '');
    const reason = /<Code>([^<]*)<\/Code>/.exec(text)?.[1] ?? '';
    throw new Error(`bucket '${this.#properties.bucket}' answered ${statusCode} ${reason}`.trim());
  }

  async #signature(url: string): Promise<Readonly<Record<string, string>>> {
    const { accessKeyId, secretAccessKey, region = defaultRegion } = this.#properties;
    if (accessKeyId === undefined || secretAccessKey === undefined) return {};
    const signer = new AwsV4Signer({ url, accessKeyId, secretAccessKey, region, service: 's3' });
    const { headers } = await signer.sign();
    return Object.fromEntries(headers);
  }

  #send(url: URL, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const refusal = this.#rules === undefined || isIP(host) === 0 ? undefined : refusalOf(host, this.#rules);
    if (refusal !== undefined) return Promise.reject(new Error(`${host}: ${refusal}`));
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    return new Promise((resolve, reject) => {
      const request = send(url, {
        headers: { ...headers, 'user-agent': 'Millrace' },
        signal: this.#signal,
        ...(this.#rules !== undefined && { lookup: guardedLookup(this.#rules) }),
      });
      request.setTimeout(idleMilliseconds, () => request.destroy(new Error('the bucket does not answer')));
      request.on('response', resolve).on('error', reject);
      request.end();
    });
  }
}

const defaultRegion = 'us-east-1';

/** URL of the bucket, ending in a slash. An S3-compatible server has its buckets in the path. */
function endpointOf({ endpoint, bucket, region = defaultRegion }: Properties): URL {
  if (endpoint !== undefined) return new URL(`${endpoint.replace(/\/+$/, '')}/${encodeSegment(bucket)}/`);
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  // The certificate covers no names with further dots.
  return bucket.includes('.')
    ? new URL(`https://s3.${region}.${domain}/${encodeSegment(bucket)}/`)
    : new URL(`https://${bucket}.s3.${region}.${domain}/`);
}

/** As signatures require it. */
const encodeSegment = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

async function textOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > maxTextBytes) throw new Error('the listing of the bucket is too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
