import { access, readdir, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { receive, type ReceivedFile, type ReceiveOptions, syncDirectory, writeDurably } from '../backup/receive.js';
import type { Manifest } from '@millrace/server/startup/offline';
import { humanBytes } from '@millrace/http/settings/setting-units';
import { command } from '../command/command.js';
import { AnswerError } from '../connection/client.js';
import { retryNotice } from '../connection/retry-notice.js';
import { Failure } from '../failure.js';
import { problemOf } from '../system-errors.js';
import { Progress } from '../ingest/progress.js';
import { styleText } from '../io.js';
import { formatCount, durationText, pluralize } from '../render/quantity.js';

export const backup = command({
  name: 'backup',
  summary: 'Back up a running server to a new directory.',
  description:
    'The backup holds all metadata and exactly the events acknowledged before it began. The server keeps running. ' +
    'The token needs the permissions rbac:create, to query every dataset, and to read the audit log. The directory holds every event and the hashes of all ' +
    'tokens: protect it like the data itself. A backup without its manifest.json is incomplete.',
  remote: true,
  args: { dir: { doc: 'Target directory; must be empty or not exist.' } },
  options: { json: { type: 'flag', doc: 'Write the result as JSON.' } },
  examples: [{ command: 'millrace backup /backups/2026-11-20', doc: 'Every night, from a timer' }],
  run: async ({ io, args, options, connect }) => {
    const client = connect();
    const directory = resolve(args.dir);
    const made = await makeEmpty(directory);
    const { manifestName, metadataName, refusedIn } = await import('@millrace/server/startup/offline');
    const started = performance.now();
    const progress = new Progress(io.err);
    const pausing = retryNotice(io.err);
    const beginning = await client.call('beginBackup').catch((error: unknown) => undo(made, error));
    const { refused = [], pause } = beginning;
    const created = new Date().toISOString();

    const files: (ReceivedFile & Omit<Manifest['files'][number], keyof ReceivedFile>)[] = [];
    try {
      for (const [i, { id, name, columns }] of beginning.datasets.entries()) {
        const showProgress = (bytes: number) =>
          progress.show(() => `${name} (${i + 1} of ${beginning.datasets.length}): ${humanBytes(bytes)}`);
        const file = await dataset(beginning.position, id, { client, directory, progress: showProgress, pausing });
        if (file !== undefined) files.push({ ...file, datasetId: id, ...(columns && { columns: [...columns] }) });
      }
      // Read after the data, so that the metadata covers every field in it.
      const ask = () => client.send('backupMetadata', { query: { pause } });
      files.push(await receive({ client, ask, directory, name: metadataName, pausing }));
      if (refused.length > 0) requireAll(refused, refusedIn(join(directory, metadataName)));
      // File names are durable before the manifest is.
      await syncDirectory(directory);
      const manifest: Manifest = { format: 1, created, position: beginning.position, files };
      await writeDurably(directory, manifestName, `${JSON.stringify(manifest, undefined, 2)}\n`);
      await syncDirectory(dirname(directory));
    } catch (error) {
      await undo(made, error);
    } finally {
      await progress.clear();
    }

    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    await io.out.write(
      options.json
        ? `${JSON.stringify({ directory, position: beginning.position, files: files.length, bytes, refused })}\n`
        : `${pluralize(files.length - 1, 'dataset')} and the metadata, ${humanBytes(bytes)}, in ${durationText(performance.now() - started)}: ${directory}\n`,
    );
    if (refused.length === 0) return 'done';
    await io.err.write(
      `${styleText(io.err, 'red', 'not in order:')} the engine refuses ${formatCount(refused.length)} of the acknowledged batches (positions ${refused.slice(0, 10).join(', ')}). ` +
        'The backup has them as they came, and a server over a restored directory tries them again; see GET /healthz\n',
    );
    return 'failed';
  },
});

/** Downloads a dataset; undefined if it has been deleted since the backup began. */
async function dataset(
  position: string,
  id: number,
  options: Omit<ReceiveOptions, 'ask' | 'name'>,
): Promise<ReceivedFile | undefined> {
  const ask = () => options.client.send('backupDataset', { params: { id }, query: { upTo: position } });
  try {
    return await receive({ ...options, ask, name: `d${id}.parquet` });
  } catch (error) {
    // Other 404s come from a proxy or router. Skipping the file would restore an empty dataset.
    if (error instanceof AnswerError && error.reason === 'not-found') return undefined;
    throw error;
  }
}

/**
 * Checks that every batch that was quarantined at the start is still in the metadata. A missing one
 * may have been inserted after its dataset was read: the server retries quarantined batches after a
 * restart and every 12 hours. It may also have been deleted; the backup cannot distinguish these.
 * @throws Failure when a batch is missing
 */
function requireAll(refused: readonly string[], kept: ReadonlySet<string>): void {
  const missing = refused.filter((position) => !kept.has(position));
  if (missing.length === 0) return;
  throw new Failure(
    'failed',
    `${formatCount(missing.length)} of the batches that the engine refused (positions ${missing.slice(0, 10).join(', ')}) went in or were deleted while the backup was taken, ` +
      'which may lack their events: delete its directory and begin again',
  );
}

/**
 * @returns the directories created, innermost first
 * @throws Failure when the directory is not empty or cannot be created
 */
async function makeEmpty(directory: string): Promise<readonly string[]> {
  const made = await missingFiles(directory);
  let entries: readonly string[];
  try {
    const { nodeFileSystem } = await import('@millrace/log');
    await nodeFileSystem.makeDirectory(directory);
    entries = await readdir(directory);
  } catch (error) {
    throw new Failure('failed', `${directory} cannot be written: ${problemOf(error)}`, { cause: error });
  }
  if (entries.length > 0) throw new Failure('failed', `${directory} is not empty; back up into a new directory`);
  return made;
}

/** Missing directories on the path. */
async function missingFiles(directory: string): Promise<readonly string[]> {
  const isThere = await access(directory).then(
    () => true,
    () => false,
  );
  return isThere || dirname(directory) === directory ? [] : [directory, ...(await missingFiles(dirname(directory)))];
}

/** Removes the created directories that are empty, then throws `error`. */
async function undo(made: readonly string[], error: unknown): Promise<never> {
  try {
    for (const directory of made) await rmdir(directory);
  } catch {
    // Received files stay for inspection.
  }
  throw error;
}
