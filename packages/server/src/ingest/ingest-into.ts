import type { IngestReply } from './ingest-reply.js';
import { ingest, type IngestDependencies, type IngestRequest, tryOut } from './ingest.js';
import type { Sender, Targets } from './target.js';

/**
 * Stores events in the dataset of this name. A missing one is made, if that is allowed, once it is
 * known that there is an event to store: a body that is damaged, or has no good event, leaves no
 * dataset behind. So the body that makes a dataset is encoded twice.
 * @throws HttpError `ingest-dataset-not-found`, and whatever `ingest` throws
 */
export async function ingestInto(
  name: string,
  sender: Sender,
  sent: Omit<IngestRequest, 'dataset'>,
  deps: IngestDependencies & { readonly targets: Targets },
): Promise<IngestReply> {
  const { targets } = deps;
  const present = await targets.find(name);
  if (present !== undefined) return ingest({ ...sent, dataset: present }, deps);
  const reply = await tryOut({ ...sent, dataset: targets.draft(name, sender) }, deps);
  if (reply.status.ingested === 0) return reply;
  return ingest({ ...sent, dataset: await targets.make(name, sender) }, deps);
}
