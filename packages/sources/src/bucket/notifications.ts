import type { BucketObject } from './parse-listing.js';

/** An object that was written, and its bucket. */
export interface NotifiedObject {
  readonly bucket: string;
  readonly object: BucketObject;
}

/**
 * Objects that a message announces: a notification of S3, directly or through SNS, or an event of
 * EventBridge. Undefined if it is none of them.
 */
export function objectsIn(body: string): readonly NotifiedObject[] | undefined {
  const message = parseObject(body);
  if (message === undefined) return undefined;
  if (message['Type'] === 'Notification' && typeof message['Message'] === 'string')
    return objectsIn(message['Message']);
  // S3 sends it when the notification is set up.
  if (message['Event'] === 's3:TestEvent') return [];
  const { Records: records } = message;
  if (Array.isArray(records)) return allOrNone(records.map(notifiedBy));
  return message['source'] === 'aws.s3' ? allOrNone([announcedBy(message)]) : undefined;
}

type Json = Readonly<Record<string, unknown>>;
type Finding = NotifiedObject | 'other' | undefined;

/** A record of S3. Its keys are URL-encoded, with a plus sign for a space. */
function notifiedBy(record: unknown): Finding {
  const { eventName, s3 } = asObject(record);
  if (typeof eventName !== 'string') return undefined;
  if (!eventName.replace(/^s3:/, '').startsWith('ObjectCreated:')) return 'other';
  const { bucket, object } = asObject(s3);
  const { key, eTag, size } = asObject(object);
  return typeof key === 'string' ? readObject(bucket, decodeKey(key), eTag, size) : undefined;
}

/** An event of EventBridge, whose keys are plain. */
function announcedBy({ 'detail-type': type, detail }: Json): Finding {
  if (type !== 'Object Created') return 'other';
  const { bucket, object } = asObject(detail);
  const { key, etag, size } = asObject(object);
  return readObject(bucket, key, etag, size);
}

function readObject(bucket: unknown, key: unknown, etag: unknown, size: unknown): Finding {
  const { name } = asObject(bucket);
  if (typeof name !== 'string' || typeof key !== 'string' || typeof etag !== 'string' || typeof size !== 'number')
    return undefined;
  // Listings have the quotes.
  const quoted = `"${etag.replaceAll('"', '')}"`;
  return { bucket: name, object: { key, etag: quoted, size } };
}

function allOrNone(all: readonly Finding[]): readonly NotifiedObject[] | undefined {
  return all.includes(undefined) ? undefined : all.filter((one) => typeof one === 'object');
}

function decodeKey(key: string): string | undefined {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

const asObject = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});

function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}
