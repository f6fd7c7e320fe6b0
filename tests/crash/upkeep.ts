import { setTimeout as sleep } from 'node:timers/promises';
import { noon, days } from './events.js';
import { isLater, type Life } from './life.js';
import { type Batch, beginDeletion, type Dataset, endDeletion, type Survives } from './model.js';
import { Random } from './random.js';
import type { Answer } from './server.js';

/**
 * A client that deletes while others send and query: events by query, old days, datasets.
 * Interrupted operations are repeated later. It deletes once per life: the engine rewrites parts
 * for a deletion, and otherwise the test would cover little else.
 */
export async function runUpkeep(life: Life): Promise<void> {
  const random = new Random(life.seed, 'upkeep', life.cycle);
  const { datasets } = life.model;
  const doomed = datasets.find(({ full }) => full);
  const dataset = doomed ?? random.pick(datasets);
  const task = doomed === undefined ? random.pickWeighted({ delete: 40, trim: 15, vacuum: 10, nothing: 35 }) : 'drop';
  await sleep(random.between(0, 700));
  const batch = random.pick(dataset.certain());
  const below = random.between(1, batch?.size ?? 1);
  const cut = noon(random.between(1, days - 1));
  if (task === 'delete' && batch?.deleting === undefined && batch !== undefined)
    await dataset.gate.pass(() => deleteRows(life, dataset, batch, below));
  if (task === 'trim') await dataset.gate.alone(() => trim(life, dataset, cut));
  if (task === 'vacuum') await dataset.gate.pass(() => vacuum(life, dataset));
  if (task === 'drop') await dataset.gate.alone(() => drop(life, dataset));
}

/**
 * Deletes the first events of a batch. Records their number in the model, so that the deletion can
 * be repeated.
 */
async function deleteRows(life: Life, dataset: Dataset, batch: Batch, below: number): Promise<void> {
  if (life.over || dataset.gone) return;
  const survives: Survives = ({ row }) => row >= below;
  const apl = `['${dataset.name}'] | where batch == ${batch.id} and row < ${below}`;
  beginDeletion(batch, survives, apl);
  const expected = batch.extent.events - batch.deleting!.extent.events;
  const answer = await deleteByQuery(life, apl);
  if (answer === undefined) return;
  endDeletion(batch);
  const { rowsDeleted } = answer.body as { readonly rowsDeleted: number };
  if (rowsDeleted !== expected)
    life.tally.violation(
      'changed',
      `${dataset.name}: deleted ${rowsDeleted} events of batch ${batch.id}, not ${expected}`,
    );
  life.tally.count('events deleted', expected);
}

const deleteByQuery = (life: Life, apl: string): Promise<Answer | undefined> =>
  change(life, '/v2/datasets/_apl/delete', { body: JSON.stringify({ apl, commit: true }) }, [200]);

/** Trims the events before a time. */
async function trim(life: Life, dataset: Dataset, before: number): Promise<void> {
  const open = [...dataset.batches.values()].some(({ fate, deleting }) => fate === 'unknown' || deleting !== undefined);
  if (life.over || dataset.interruptedOperation !== undefined || open) return;
  dataset.interruptedOperation = { kind: 'trim', before };
  await finish(life, dataset);
}

async function drop(life: Life, dataset: Dataset): Promise<void> {
  if (life.over) return;
  dataset.batches.clear();
  dataset.full = false;
  dataset.interruptedOperation = { kind: 'drop' };
  await finish(life, dataset);
}

const vacuum = async (life: Life, dataset: Dataset): Promise<void> => {
  // Allowed once a day, and one that a kill interrupted may count.
  if (!life.over && !dataset.gone)
    await change(life, `/v2/datasets/${dataset.name}/vacuum`, { method: 'POST' }, [200, 400, 429]);
};

/** Finishes interrupted operations: immediately or, after a kill, in a later life. */
export async function finish(life: Life, dataset: Dataset): Promise<void> {
  const { interruptedOperation: interrupted, name } = dataset;
  for (const batch of dataset.batches.values()) {
    const apl = batch.deleting?.apl;
    if (apl === undefined) continue;
    if ((await deleteByQuery(life, apl)) === undefined) return;
    endDeletion(batch);
  }
  if (interrupted?.kind === 'trim') {
    const cut = new Date(interrupted.before).toISOString();
    // Includes batches that arrived after the first attempt.
    for (const batch of dataset.certain()) beginDeletion(batch, ({ _time }) => _time >= cut);
    const maxDuration = `${Math.round((Date.now() - interrupted.before) / 1000)}s`;
    if (
      (await change(life, `/v2/datasets/${name}/trim`, { body: JSON.stringify({ maxDuration }) }, [204])) === undefined
    )
      return;
    for (const batch of dataset.batches.values()) endDeletion(batch);
    dataset.interruptedOperation = undefined;
    life.tally.count('datasets trimmed');
  }
  if (interrupted?.kind === 'drop') {
    if ((await change(life, `/v2/datasets/${name}`, { method: 'DELETE' }, [204, 404])) === undefined) return;
    dataset.interruptedOperation = { kind: 'create' };
    life.tally.count('datasets dropped');
  }
  if (dataset.interruptedOperation?.kind === 'create') {
    if ((await change(life, '/v2/datasets', { body: JSON.stringify({ name }) }, [200, 409])) === undefined) return;
    dataset.interruptedOperation = undefined;
  }
}

/** Sends a change. Undefined when its outcome cannot be known. */
async function change(
  life: Life,
  path: string,
  init: { readonly method?: string; readonly body?: string },
  expected: readonly number[],
): Promise<Answer | undefined> {
  const answer = await life.server.request(path, init).catch((error: unknown) => error);
  if (answer instanceof Error) {
    if (!life.struck) life.tally.violation('unexpected', `no answer to ${path}: ${String(answer.cause ?? answer)}`);
    return undefined;
  }
  const { status, text } = answer as Answer;
  if (expected.includes(status)) return answer as Answer;
  if (isLater(life, status)) life.tally.count(`changes answered ${status}`);
  else life.tally.violation('unexpected', `${path} ${init.body ?? ''} was answered ${status} ${text.slice(0, 300)}`);
  return undefined;
}
