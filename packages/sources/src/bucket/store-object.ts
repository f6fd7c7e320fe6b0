import { createHash } from 'node:crypto';
import type { SourcePropertiesOf } from '@millrace/api/schemas/source';
import { InputError } from '../files/input-error.js';
import type { OutgoingRequest } from '../files/outgoing-events.js';
import { type BatchContent, jsonContent, RejectedBatch } from '../run/batch.js';
import type { SourceContext } from '../run/source-context.js';
import { objectRequests } from './object-requests.js';
import type { BucketObject } from './parse-listing.js';
import type { S3Client } from './s3-client.js';

type Properties = SourcePropertiesOf<'bucket'>;

/** An object that is not stored completely. */
export interface NewObject {
  readonly object: BucketObject;
  /** In the ledger. */
  readonly name: string;
  /** Parts that are stored. */
  readonly parts: number;
}

/** Name of an object in the ledger. */
export const nameOf = (bucket: string, { key, etag }: BucketObject): string =>
  createHash('sha256')
    .update(JSON.stringify([bucket, key, etag]))
    .digest('base64url')
    .slice(0, 32);

/** Stores the parts of an object that are not stored yet. */
export async function storeObject(
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
