/** An object of a bucket; `etag` changes with its content. */
export interface BucketObject {
  readonly key: string;
  readonly etag: string;
  readonly size: number;
}

interface ListedObject extends BucketObject {
  /** RFC 3339. */
  readonly modified: string;
}

/** A page of objects; `next` is the token of the next page, if there is one. */
export interface Listing {
  readonly objects: readonly ListedObject[];
  readonly next: string | undefined;
}

/**
 * Parses the response to `ListObjectsV2` with `encoding-type=url`, in which keys have no characters
 * that XML escapes.
 */
export function parseListing(xml: string): Listing {
  if (!xml.includes('<ListBucketResult')) throw new Error('the response is no listing of a bucket');
  const objects = [...xml.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)].map(([, content = '']) => ({
    key: decodeURIComponent(memberOf(content, 'Key').replaceAll('+', ' ')),
    etag: memberOf(content, 'ETag'),
    size: Number(memberOf(content, 'Size')),
    modified: memberOf(content, 'LastModified'),
  }));
  const isCut = memberOf(xml, 'IsTruncated') === 'true';
  return { objects, next: isCut ? memberOf(xml, 'NextContinuationToken') : undefined };
}

const memberOf = (xml: string, name: string): string =>
  unescapeXml(new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '');

const entities: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };

const unescapeXml = (text: string): string =>
  text.replaceAll(/&(?:#(\d+)|#x([0-9a-fA-F]+)|(quot|apos|lt|gt|amp));/g, (all, decimal, hex, name) => {
    if (name !== undefined) return entities[String(name)] ?? all;
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : all;
  });
