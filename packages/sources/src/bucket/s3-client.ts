import type { IncomingMessage } from 'node:http';
import { AwsV4Signer } from 'aws4fetch';
import type { SourcePropertiesOf } from '@millrace/api/schemas/source';
import type { AddressRules } from '@millrace/http/outgoing/addresses';
import { defaultRegion, sendRequest, textOf } from './aws-requests.js';
import { type Listing, parseListing } from './parse-listing.js';

type Properties = SourcePropertiesOf<'bucket'>;

/** A request that the bucket did not accept. */
export class BucketError extends Error {
  override readonly name = 'BucketError';
  /** Whether the object is not there any more, with the content that was asked for. */
  readonly isGone: boolean;

  constructor(message: string, isGone: boolean) {
    super(message);
    this.isGone = isGone;
  }
}

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
    const response = await sendRequest(
      { url: new URL(url), headers: signed, peer: 'the bucket' },
      { rules: this.#rules, signal: this.#signal },
    );
    const { statusCode = 0 } = response;
    if (statusCode >= 200 && statusCode < 300) return response;
    const text = await textOf(response).catch(() => '');
    const reason = /<Code>([^<]*)<\/Code>/.exec(text)?.[1] ?? '';
    const isGone = statusCode === 412 || reason === 'NoSuchKey';
    throw new BucketError(`bucket '${this.#properties.bucket}' answered ${statusCode} ${reason}`.trim(), isGone);
  }

  async #signature(url: string): Promise<Readonly<Record<string, string>>> {
    const { accessKeyId, secretAccessKey, region = defaultRegion } = this.#properties;
    if (accessKeyId === undefined || secretAccessKey === undefined) return {};
    const signer = new AwsV4Signer({ url, accessKeyId, secretAccessKey, region, service: 's3' });
    const { headers } = await signer.sign();
    return Object.fromEntries(headers);
  }
}

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
