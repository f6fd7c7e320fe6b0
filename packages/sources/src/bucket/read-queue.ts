import type { SourcePropertiesOf } from '@millrace/api/schemas/source';
import type { SourceContext } from '../run/source-context.js';
import { type NotifiedObject, objectsIn } from './notifications.js';
import { BucketError, type S3Client } from './s3-client.js';
import { type QueueMessage, type SqsClient, visibilitySeconds } from './sqs-client.js';
import { nameOf, storeObject } from './store-object.js';

interface QueueReader {
  readonly properties: SourcePropertiesOf<'bucket'>;
  readonly context: SourceContext;
}

/**
 * Waits for notifications once, and stores their objects. A message is deleted when its objects are
 * stored; after a stop it is delivered again, and what is stored is skipped.
 * @returns how many messages there were
 */
export async function readQueue(queue: SqsClient, client: S3Client, reader: QueueReader): Promise<number> {
  const { progress, objects: ledger, signal } = reader.context;
  const messages = await queue.receive();
  progress.markWorking();
  progress.lag(messages.length === 0 ? 0 : messages.length + (await queue.length()));
  const open = new Set(messages);
  // Ten objects may take longer than the queue waits. A failure shows when the message is deleted.
  const keep = () => void Promise.allSettled([...open].map((message) => queue.keep(message)));
  const timer = setInterval(keep, (visibilitySeconds * 1000) / 3);
  try {
    for (const message of messages) {
      signal.throwIfAborted();
      const isStored = await storeMessage(message, client, reader);
      open.delete(message);
      if (isStored) await queue.delete(message);
    }
  } finally {
    clearInterval(timer);
  }
  await ledger.forgetGone();
  return messages.length;
}

/** @returns false if the message stays in the queue, which may move it to a dead-letter queue */
async function storeMessage(message: QueueMessage, client: S3Client, reader: QueueReader): Promise<boolean> {
  const { bucket } = reader.properties;
  const notified = objectsIn(message.body);
  const problem =
    notified === undefined
      ? 'the message is no notification of S3'
      : notified.some((one) => one.bucket !== bucket)
        ? `the message is about another bucket than '${bucket}'`
        : undefined;
  if (problem !== undefined) {
    if (message.deliveries <= 1) reader.context.progress.recordRejected(message.body.slice(0, 200), problem);
    return false;
  }
  for (const one of notified ?? []) await storeNotified(one, client, reader);
  return true;
}

async function storeNotified(
  { object }: NotifiedObject,
  client: S3Client,
  { properties, context }: QueueReader,
): Promise<void> {
  const { bucket, prefix = '', startAfter = '' } = properties;
  if (object.size === 0 || !object.key.startsWith(prefix) || object.key <= startAfter) return;
  const name = nameOf(bucket, object);
  const state = (await context.objects.known([name])).get(name) ?? 0;
  if (state === 'complete') return;
  try {
    await storeObject({ object, name, parts: state }, client, { properties, context });
  } catch (error) {
    // Deleted since then, or replaced, which has a notification of its own.
    if (!(error instanceof BucketError && error.isGone)) throw error;
    context.progress.recordRejected(object.key, `${error.message}: the object was deleted or replaced`);
  }
}
