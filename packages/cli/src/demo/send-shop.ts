import { setTimeout as sleep } from 'node:timers/promises';
import { releaseOf, type SampleEvent, shopTraffic, spansOf } from '@millrace/sample-data';
import type { Client } from '../connection/client.js';
import { seedShop } from './seed-shop.js';

/** Traffic of the demo shop: the last hour at once, then each second as it passes. */

interface Shop {
  readonly client: Pick<Client, 'call'>;
  /** Requests per second. */
  readonly rate: number;
  readonly stopping: AbortSignal;
  /** Called after the first hour, with the number of its events. */
  readonly filled: (events: number) => void | Promise<void>;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** Resolves after these milliseconds or when stopped. */
  readonly pause?: (milliseconds: number, stopping: AbortSignal) => Promise<void>;
}

const hourSeconds = 3600;
/** Seconds of the past per request. */
const secondsTogether = 300;
/** A host with a correct clock but a slow connection: its events arrive late by `lateSeconds`. */
const lateHost = 'catalogue-2';
const lateSeconds = 20;

/**
 * Sends until stopped.
 * @throws AnswerError, ConnectionError
 */
export async function streamShopTraffic({
  client,
  rate,
  stopping,
  filled,
  clock = Date.now,
  pause = pauseFor,
}: Shop): Promise<void> {
  let second = Math.floor(clock() / 1000);
  const storyBegan = second - hourSeconds;
  const eventsBefore = (end: number): readonly SampleEvent[] => shopTraffic({ end, storyBegan, rate });
  const arrivals = (end: number): readonly SampleEvent[] => [
    ...eventsBefore(end).filter((event) => !isLate(event)),
    ...eventsBefore(end - lateSeconds).filter(isLate),
  ];
  await client.call('createDataset', { body: { name: 'logs', description: 'Requests to a small shop' } });
  await client.call('createDataset', {
    body: { name: 'traces', kind: 'otel:traces:v1', description: 'What each request to the shop did' },
  });
  let events = 0;
  for (let at = storyBegan; at < second && !stopping.aborted; at += secondsTogether) {
    const seconds = Array.from({ length: Math.min(secondsTogether, second - at) }, (_, index) => at + index + 1);
    events += await send(client, seconds.flatMap(arrivals));
  }
  if (stopping.aborted) return;
  await seedShop(client, new Date(releaseOf(storyBegan) * 1000));
  await filled(events);
  while (!stopping.aborted) {
    const now = Math.floor(clock() / 1000);
    // After the machine was suspended several seconds are due; a long suspension is skipped.
    for (second = Math.max(second + 1, now - lateSeconds); second <= now; second++)
      await send(client, arrivals(second));
    second = now;
    await pause(1000 - (clock() % 1000), stopping);
  }
}

const pauseFor = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined);

const isLate = ({ host }: SampleEvent): boolean => host === lateHost;

/** Sends requests and their traces. @returns the number of events */
async function send(client: Shop['client'], requests: readonly SampleEvent[]): Promise<number> {
  const spans = requests.flatMap(spansOf);
  for (const [dataset, events] of Object.entries({ logs: requests, traces: spans }))
    if (events.length > 0) await client.call('ingest', { params: { dataset }, body: JSON.stringify(events) });
  return requests.length + spans.length;
}
