import { HttpError } from '@millrace/api/errors';
import type { IngestReply } from './ingest-reply.js';
import type { IngestRequest } from './ingest.js';
import { requireFewDatasets } from './dataset-limit.js';
import type { PartOutcome } from './protocol.js';

type BodyRequest = Omit<IngestRequest, 'dataset'>;

/**
 * Stores a body whose events name their datasets, one dataset at a time. Reading the first part
 * finds the other datasets.
 * @param first dataset of the events that name none
 * @param look reads the body without storing anything
 * @throws HttpError if no part was accepted, or if a part should be retried; parts accepted before
 * it are stored, and a retry stores them again
 */
export async function storeParts(
  first: string,
  sent: BodyRequest,
  into: (dataset: string, sent: BodyRequest) => Promise<IngestReply>,
  look: (sent: BodyRequest) => Promise<IngestReply>,
): Promise<readonly PartOutcome[]> {
  const datasets = new Set([first]);
  const outcomes: PartOutcome[] = [];
  // Iterating over a set also visits elements added during the iteration.
  for (const dataset of datasets) {
    // A copy, because a body may be transferred to a thread.
    const part = (): BodyRequest => ({
      ...sent,
      body: new Uint8Array(sent.body),
      options: { ...sent.options, part: { dataset, rest: dataset === first } },
    });
    const outcome = await outcomeOf(dataset, () => into(dataset, part()));
    outcomes.push(outcome);
    const { others = [] } = 'reply' in outcome ? outcome.reply : dataset === first ? await look(part()) : {};
    for (const other of others) datasets.add(other);
    requireFewDatasets(datasets);
  }
  const refusal = outcomes.find((outcome) => 'refused' in outcome);
  if (refusal !== undefined && 'refused' in refusal && !outcomes.some((outcome) => 'reply' in outcome))
    throw refusal.refused;
  return outcomes;
}

async function outcomeOf(dataset: string, store: () => Promise<IngestReply>): Promise<PartOutcome> {
  try {
    return { dataset, reply: await store() };
  } catch (error) {
    if (!(error instanceof HttpError) || !ofDataset.has(error.code)) throw error;
    return { dataset, refused: error };
  }
}

/** Errors of one dataset, which the other parts do not have. */
const ofDataset: ReadonlySet<string> = new Set([
  'forbidden',
  'ingest-dataset-not-found',
  'ingest-dataset-not-created',
  'invalid-request',
]);
