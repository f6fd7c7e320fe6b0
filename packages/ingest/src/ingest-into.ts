import type { IngestReply } from './ingest-reply.js';
import { ingest, type IngestDependencies, type IngestRequest, dryRun } from './ingest.js';
import type { Sender, Targets } from './target.js';

/**
 * Stores events in the dataset of this name. A missing dataset is created, if allowed, only when
 * there is a valid event: damaged or empty bodies create none. The body that creates a dataset is
 * therefore encoded twice.
 * @throws HttpError `ingest-dataset-not-found`, `wrong-dataset-kind`, and errors of `ingest`
 */
export async function ingestInto(
  name: string,
  sender: Sender,
  sent: Omit<IngestRequest, 'dataset'>,
  deps: IngestDependencies & { readonly targets: Targets },
): Promise<IngestReply> {
  const { targets } = deps;
  const present = await targets.find(name, sender.kind);
  if (present !== undefined) return ingest({ ...sent, dataset: present }, deps);
  const reply = await dryRun({ ...sent, dataset: targets.draft(name, sender) }, deps);
  if (reply.status.ingested === 0) return reply;
  return ingest({ ...sent, dataset: await targets.make(name, sender) }, deps);
}
