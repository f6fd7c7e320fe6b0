import { setTimeout as pause } from 'node:timers/promises';
import type { SourcePropertiesOf } from '@millrace/api/schemas/source';
import type { SourceContext } from '../run/source-context.js';
import type { SourceKind } from '../run/source-kind.js';
import { readQueue } from './read-queue.js';
import { S3Client } from './s3-client.js';
import { SqsClient } from './sqs-client.js';
import { nameOf, type NewObject, storeObject } from './store-object.js';

type Properties = SourcePropertiesOf<'bucket'>;

/** Pause after a request that found no message, milliseconds. */
const emptyPause = 1000;

/** Objects of a bucket, found by listing it again and again, or by notifications in a queue. */
export const bucketSource: SourceKind<Properties> = {
  problemOf({ endpoint, queueUrl, accessKeyId, secretAccessKey }) {
    if (endpoint !== undefined && !URL.canParse(endpoint)) return `'endpoint' is no URL that can be read`;
    if (queueUrl !== undefined && !URL.canParse(queueUrl)) return `'queueUrl' is no URL that can be read`;
    const hasSecret = secretAccessKey !== undefined && secretAccessKey !== '';
    if ((accessKeyId !== undefined) !== hasSecret)
      return `'accessKeyId' and 'secretAccessKey' belong together; give both of them, or none`;
    return undefined;
  },
  destinationOf: ({ endpoint, region, bucket, queueUrl }) =>
    JSON.stringify([endpoint ?? '', region ?? '', bucket, ...(queueUrl === undefined ? [] : [queueUrl])]),
  async run(properties, context) {
    const client = new S3Client(properties, context.addresses, context.signal);
    const { queueUrl } = properties;
    if (queueUrl !== undefined) {
      const queue = new SqsClient({ ...properties, queueUrl }, context.addresses, context.signal);
      for (;;)
        // Some servers do not wait for messages.
        if ((await readQueue(queue, client, { properties, context })) === 0)
          await pause(emptyPause, undefined, { signal: context.signal });
    }
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
      await storeObject({ object, name, parts }, client, { properties, context });
      left = Math.max(0, left - 1);
      leftBytes = Math.max(0, leftBytes - object.size);
      context.progress.lag(left, leftBytes);
    }
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
