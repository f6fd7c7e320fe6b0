import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metadata } from '@millrace/metadata/metadata';

/*
 * Detects swapped directories. The directories of the engine and the log do not name their owner.
 * If those of two servers are swapped, for example when files are restored by hand, each has
 * datasets with the same IDs and would return events of the other. So a file in each names the
 * organization of the metadata.
 */

const markName = 'belongs-to';
const names = ['engine', 'log'] as const;

/** Existing marks of a data directory; a remote engine has none. */
const marksIn = (dataDir: string): readonly string[] =>
  names
    .map((name) => join(dataDir, name))
    .filter(existsSync)
    .map((directory) => join(directory, markName));

const ownerIn = (mark: string): string => (existsSync(mark) ? readFileSync(mark, 'utf8') : '');

/**
 * Checks the owner of the directories. Call it before their content is used. New metadata has a
 * separate check.
 * @throws Error with a message for the operator when a directory belongs to another server
 */
export async function requireSameServer(dataDir: string, { org, datasets }: Metadata): Promise<void> {
  if ((await datasets.highestId()) === 0) return;
  const { id } = await org.get();
  for (const mark of marksIn(dataDir)) {
    const owner = ownerIn(mark);
    // A mark interrupted by a crash is empty, and earlier versions wrote none.
    if (owner !== '' && owner !== id)
      throw new Error(
        `${mark} says that these files are of the server ${owner}, and metadata.sqlite is of ${id}: ` +
          'directories of two servers were exchanged. Put the right ones back. No event was changed',
      );
  }
}

/** Call it when it is certain that the directories belong to the metadata. */
export async function markDirectory(dataDir: string, { org }: Metadata): Promise<void> {
  const { id } = await org.get();
  for (const mark of marksIn(dataDir)) {
    try {
      if (ownerIn(mark) !== id) writeFileSync(mark, id, { mode: 0o600, flush: true });
    } catch {
      // The disk is full; queries still work. The next start writes the mark.
    }
  }
}
