import type { WriteMonitor } from '@millrace/client';
import type { Client } from '../../connection/client.js';
import { Failure } from '../../failure.js';
import { pluralize } from '../../render/quantity.js';
import type { Case, Cases } from './cases.js';
import { compareOpenings, openingsOf, textOf } from './openings.js';

/** Runs the cases of a monitor on an empty server. */

export interface CaseResult {
  readonly name: string;
  readonly passed: boolean;
  readonly runs: number;
  readonly missing: readonly string[];
  readonly unexpected: readonly string[];
  /** Why it could not be judged. */
  readonly problem?: string;
}

/**
 * Datasets have only the events of one case at a time. Each case creates views and virtual fields
 * again: the former need their datasets, and the latter go with theirs.
 * @throws Failure, AnswerError when events or the monitor are rejected
 */
export async function* runCases(
  monitor: WriteMonitor,
  { cases, views, virtualFields }: Cases,
  client: Pick<Client, 'call' | 'send'>,
): AsyncGenerator<CaseResult> {
  // Also those without events in a case: the query has to find its dataset.
  const datasets = new Set([
    ...cases.flatMap(({ events }) => [...events.keys()]),
    ...virtualFields.map(({ dataset }) => dataset),
  ]);
  for (const each of cases) {
    for (const name of datasets) await client.call('createDataset', { body: { name } });
    for (const body of virtualFields) await client.call('createVirtualField', { body });
    const viewIds: string[] = [];
    for (const body of views) viewIds.push((await client.call('createView', { body })).id);
    for (const [dataset, bodies] of each.events)
      for (const { type, text } of bodies) {
        const request = { params: { dataset }, headers: { 'content-type': type }, body: text } as const;
        const { failed, failures } = await client.call('ingest', request);
        if (failed > 0)
          throw new Failure(
            'failed',
            `${pluralize(failed, 'event')} for '${dataset}' of '${each.name}' rejected: ${failures[0]?.error ?? ''}`,
          );
      }
    yield await resultOf(monitor, each, client);
    for (const id of viewIds) await client.send('deleteView', { params: { id } });
    for (const id of datasets) await client.send('deleteDataset', { params: { id } });
  }
}

async function resultOf(monitor: WriteMonitor, each: Case, client: Pick<Client, 'call'>): Promise<CaseResult> {
  const { runs, changes, complete } = await client.call('previewMonitor', {
    body: { monitor, startTime: each.start, endTime: each.end, ignoreArrival: true },
  });
  const { missing, unexpected } = compareOpenings(each.openings, openingsOf(changes));
  const failed = runs.find(({ state }) => state === 'error');
  const problem =
    failed === undefined
      ? complete
        ? undefined
        : 'the case has more runs than a back-test makes; shorten it'
      : `the run of ${failed.time} failed: ${failed.error ?? ''}`;
  return {
    name: each.name,
    passed: problem === undefined && missing.length === 0 && unexpected.length === 0,
    runs: runs.length,
    missing: missing.map(textOf),
    unexpected: unexpected.map(textOf),
    ...(problem !== undefined && { problem }),
  };
}
