import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { SourcePropertiesOf } from '@millrace/api/schemas/source';
import { InputError } from '../files/input-error.js';
import type { OutgoingRequest } from '../files/outgoing-events.js';
import { type BatchContent, jsonContent, RejectedBatch } from '../run/batch.js';
import type { SourceContext } from '../run/source-context.js';
import type { SourceKind } from '../run/source-kind.js';
import { objectRequests } from './object-requests.js';
import type { BucketObject } from './parse-listing.js';
import { S3Client } from './s3-client.js';

type Properties = SourcePropertiesOf<'bucket'>;

/** Objects of a bucket, found by listing it again and again. */
export const bucketSource: SourceKind<Properties> = {
  problemOf({ endpoint, accessKeyId, secretAccessKey }) {
    if (endpoint !== undefined && !URL.canParse(endpoint)) return `'endpoint' is no URL that can be read`;
    const hasSecret = secretAccessKey !== undefined && secretAccessKey !== '';
    if ((accessKeyId !== undefined) !== hasSecret)
      return `'accessKeyId' and 'secretAccessKey' belong together; give both of them, or none`;
    return undefined;
  },
  destinationOf: ({ endpoint, region, bucket }) => JSON.stringify([endpoint ?? '', region ?? '', bucket]),
  async run(properties, context) {
    const client = new S3Client(properties, context.addresses, context.signal);
    for (;;) {
      await readNewObjects(client, properties, context);
      context.progress.markWorking();
      await pause((properties.pollSeconds ?? 60) * 1000, undefined, { signal: context.signal });
    }
  },
};

/** Lists the bucket once, counts new objects, and reads them in the order of the keys. */
export async function readNewObjects(client: S3Client, properties: Properties, context: SourceContext): Promise<void> {
  let left = 0;
  let leftBytes = 0;
  for await (const objects of newObjects(client, properties, context)) {
    left += objects.length;
    leftBytes += objects.reduce((sum, { object }) => sum + object.size, 0);
  }
  context.progress.lag(left, leftBytes);
  await context.objects.forgetGone();
  if (left === 0) return;
  for await (const objects of newObjects(client, properties, context))
    for (const { object, name, parts } of objects) {
      context.signal.throwIfAborted();
      await readObject({ object, name, parts }, client, { properties, context });
      left = Math.max(0, left - 1);
      leftBytes = Math.max(0, leftBytes - object.size);
      context.progress.lag(left, leftBytes);
    }
}

interface NewObject {
  readonly object: BucketObject;
  /** In the ledger. */
  readonly name: string;
  /** Parts that are stored. */
  readonly parts: number;
}

/**
 * Objects that are not stored completely, a page at a time, so that memory does not grow with the
 * bucket.
 */
async function* newObjects(
  client: S3Client,
  { bucket, startAfter, modifiedSince }: Properties,
  { objects: ledger, signal }: SourceContext,
): AsyncGenerator<readonly NewObject[]> {
  const since = modifiedSince === undefined ? -Infinity : Date.parse(modifiedSince);
  let token: string | undefined;
  do {
    signal.throwIfAborted();
    const page = await client.list({ after: startAfter, token });
    token = page.next;
    const listed = page.objects
      // Consoles mark folders with empty objects.
      .filter(({ size }) => size > 0)
      .map((object) => ({ object, name: nameOf(bucket, object) }));
    // Also older ones: what the bucket has is not forgotten.
    const known = await ledger.known(listed.map(({ name }) => name));
    const wanted = listed.filter(({ object: { modified } }) => !(Date.parse(modified) < since));
    yield wanted.flatMap(({ object, name }) => {
      const state = known.get(name) ?? 0;
      return state === 'complete' ? [] : [{ object, name, parts: state }];
    });
  } while (token !== undefined);
}

const nameOf = (bucket: string, { key, etag }: BucketObject): string =>
  createHash('sha256')
    .update(JSON.stringify([bucket, key, etag]))
    .digest('base64url')
    .slice(0, 32);

async function readObject(
  { object, name, parts }: NewObject,
  client: S3Client,
  { properties, context }: { readonly properties: Properties; readonly context: SourceContext },
): Promise<void> {
  const { progress, objects: ledger, id, batchBytes } = context;
  const { key } = object;
  let part = 0;
  try {
    for await (const request of objectRequests(object, client, { properties, maxBytes: batchBytes })) {
      const number = part++;
      // After a stop in the middle, the stored parts are read again and skipped.
      if (number < parts) continue;
      try {
        await context.store({
          key: `source ${id} ${name} ${number}`,
          position: `${key} part ${number + 1}`,
          body: request.body,
          content: contentOf(request, properties, key),
        });
      } catch (error) {
        if (!(error instanceof RejectedBatch)) throw error;
        progress.recordRejected(`${key} part ${number + 1}`, error.message);
      }
      await ledger.mark(name, part);
    }
  } catch (error) {
    // A damaged object stays in the bucket, and others follow it.
    if (!(error instanceof InputError)) throw error;
    progress.recordRejected(key, error.message);
  }
  await ledger.mark(name, 'complete');
}

/** Each event says which object it is from. */
function contentOf(
  { format, delimiter, timeField }: OutgoingRequest,
  { bucket, timestampField }: Properties,
  key: string,
): BatchContent {
  const labels = Buffer.from(JSON.stringify({ s3: { bucket, key } })).toString('latin1');
  const time = timestampField ?? timeField;
  return {
    ...(format === 'csv' ? { format, contentType: 'text/csv' } : jsonContent),
    labels,
    ...(delimiter !== undefined && { csvDelimiter: delimiter }),
    ...(time !== undefined && { timestampField: time }),
  };
}
