import { createHash } from 'node:crypto';
import { type Batch, RejectedBatch } from '../run/batch.js';
import type { SourceContext } from '../run/source-context.js';
import type { Message } from './group-member.js';
import { bodiesOf, type MessageOptions, rejectedBatch, type RejectedMessage } from './message-batches.js';

interface StoredRange {
  readonly key: string;
  readonly position: string;
  readonly messages: readonly Message[];
}

/** Maximum length of an idempotency key. */
const longestKey = 255;

/**
 * Stores the messages of a range. Unreadable messages are kept aside. A body that is rejected
 * as a whole is halved until its bad messages are found: the same messages are halved the same way,
 * so the keys repeat.
 */
export async function storeRange(
  { key, position, messages }: StoredRange,
  options: MessageOptions,
  context: Pick<SourceContext, 'store' | 'progress'>,
): Promise<void> {
  const rejected = await storeMessages({ key, position, messages }, options, context);
  if (rejected.length === 0) return;
  await context.store(shortenBatch(rejectedBatch(key, position, rejected)));
  for (const { message, problem } of rejected)
    context.progress.recordRejected(`${message.topic}/${message.partition} ${message.offset}`, problem);
}

async function storeMessages(
  { key, position, messages }: StoredRange,
  options: MessageOptions,
  context: Pick<SourceContext, 'store'>,
): Promise<readonly RejectedMessage[]> {
  const { bodies, rejected } = bodiesOf(messages, options);
  try {
    for (const [i, { content, body }] of bodies.entries())
      await context.store(shortenBatch({ key: bodies.length > 1 ? `${key}/${i}` : key, position, body, content }));
    return rejected;
  } catch (error) {
    if (!(error instanceof RejectedBatch)) throw error;
    const [message] = messages;
    if (message === undefined || messages.length === 1)
      return message === undefined ? [] : [{ message, problem: error.message }];
    const half = messages.length >> 1;
    const first = await storeMessages(
      { key: `${key}.0`, position, messages: messages.slice(0, half) },
      options,
      context,
    );
    const second = await storeMessages({ key: `${key}.1`, position, messages: messages.slice(half) }, options, context);
    return [...first, ...second];
  }
}

const shortenBatch = (batch: Batch): Batch =>
  batch.key.length <= longestKey
    ? batch
    : { ...batch, key: `source ${createHash('sha256').update(batch.key).digest('base64url')}` };
