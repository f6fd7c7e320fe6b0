import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestOf } from '@millrace/client';
import type { Client } from '../connection/client.js';
import { withRetries } from '../connection/retry.js';
import { retryNotice } from '../connection/retry-notice.js';
import type { Exit } from '../exit-codes.js';
import type { Io } from '../io.js';
import { pluralize } from '../render/quantity.js';
import { escapeControls } from '../render/width.js';
import { followDirectory } from './follow-directory.js';
import { lineEvents } from './line-events.js';

/** How often a directory is read. */
const pollMilliseconds = 1000;

interface Options {
  readonly directory: string;
  readonly state: string | undefined;
  readonly dataset: string;
  readonly requestBytes: number;
  readonly query: NonNullable<RequestOf<'ingest'>['query']>;
  /** Headers of the events of a file. */
  readonly headers: (name: string) => NonNullable<RequestOf<'ingest'>['headers']>;
}

/** Follows a directory until interrupted; a server that is away or busy is waited for. */
export async function follow(io: Io, client: Client, options: Options): Promise<Exit> {
  const { directory, dataset, query, headers } = options;
  const interrupted = io.interruption();
  const notice = retryNotice(io.err);
  let stored = 0;
  const send = async (lines: Buffer, name: string, key: string): Promise<void> => {
    const body = lineEvents(lines);
    if (body.length === 0) return;
    const request = {
      params: { dataset },
      query,
      body,
      headers: { ...headers(name), 'content-type': 'application/x-ndjson', 'idempotency-key': key },
    };
    const { ingested, failed, failures } = await withRetries(() => client.call('ingest', request), {
      attempts: Number.POSITIVE_INFINITY,
      signal: interrupted,
      pausing: notice,
    });
    stored += ingested;
    const [first] = failures ?? [];
    if (failed > 0)
      await io.err.write(
        `${escapeControls(name)}: ${pluralize(failed, 'event')} refused: ${escapeControls(first?.error ?? '')}\n`,
      );
  };
  try {
    await followDirectory({
      directory,
      stateFile: options.state ?? join(directory, `.millrace-follow-${dataset}.json`),
      requestBytes: options.requestBytes,
      send,
      say: (message) => io.err.write(`${escapeControls(message)}\n`),
      pause: () =>
        sleep(pollMilliseconds, undefined, { signal: interrupted }).then(
          () => true,
          () => false,
        ),
    });
  } catch (error) {
    if (!interrupted.aborted) throw error;
  }
  await io.out.write(`${pluralize(stored, 'event')} stored in ${dataset}\n`);
  return 'done';
}
