import { withRoles } from '../commands/dataset/dataset.js';
import { confirm } from '../commands/dataset/confirm.js';
import { AnswerError, type Client } from '../connection/client.js';
import type { Io } from '../io.js';

/**
 * Creates the dataset of a load if it is missing: with `--create`, or after a prompt in a terminal.
 * Other loads are sent as they are, and the server decides.
 * @throws Failure `usage` when declined
 */
export async function createIfMissing(
  client: Client,
  dataset: string,
  { io, create, prompts }: { readonly io: Io; readonly create: boolean; readonly prompts: boolean },
): Promise<void> {
  if (!create && !prompts) return;
  if (await exists(client, dataset)) return;
  await confirm(io, create, `Dataset '${dataset}' not found. Create it?`);
  try {
    await client.call('createDataset', { body: { name: dataset } });
  } catch (error) {
    // Another load may have created it in the meantime.
    if (!(error instanceof AnswerError) || !(await exists(client, dataset))) throw error;
  }
}

/** Whether the server has the dataset, or does not say, such as to a token for ingest only. */
async function exists(client: Client, dataset: string): Promise<boolean> {
  try {
    await client.call('getDataset', { params: { id: dataset } });
    return true;
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error;
    return error.status !== 404;
  }
}

/** Whether a field supplies the time of a dataset's events; false if the server does not say. */
export async function hasTimeField(client: Client, dataset: string): Promise<boolean> {
  try {
    return (
      (await client.call('getDataset', { params: { id: dataset }, query: withRoles })).fieldRoles?.time !== undefined
    );
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error;
    return false;
  }
}
