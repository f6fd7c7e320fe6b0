import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metadata } from '../metadata/metadata.js';

/*
 * Nothing in the directories of the engine and of the log says whose they are. If those of two
 * servers are exchanged, as by somebody who puts files back by hand, each has datasets with the
 * same numbers and would answer with the events of the other. So a file in each names the
 * organisation of the metadata that they are beside.
 */

const markName = 'belongs-to';
const names = ['engine', 'log'] as const;

/** Those of a data directory that are there: the engine may be elsewhere. */
const marksIn = (dataDir: string): readonly string[] =>
  names
    .map((name) => join(dataDir, name))
    .filter(existsSync)
    .map((directory) => join(directory, markName));

const ownerIn = (mark: string): string => (existsSync(mark) ? readFileSync(mark, 'utf8') : '');

/**
 * Call it before anything is done with what the directories hold. Metadata that are new have their
 * own check.
 * @throws Error with a message for the operator when a directory is that of another server
 */
export async function requireOwn(dataDir: string, { org, datasets }: Metadata): Promise<void> {
  if ((await datasets.highestId()) === 0) return;
  const { id } = await org.get();
  for (const mark of marksIn(dataDir)) {
    const owner = ownerIn(mark);
    // One that was cut off by a crash is empty, and an earlier version wrote none.
    if (owner !== '' && owner !== id)
      throw new Error(
        `${mark} says that these files are of the server ${owner}, and metadata.sqlite is of ${id}: ` +
          'directories of two servers were exchanged. Put the right ones back. No event was changed',
      );
  }
}

/** Call it when it is certain that the directories belong to the metadata. */
export async function markOwn(dataDir: string, { org }: Metadata): Promise<void> {
  const { id } = await org.get();
  for (const mark of marksIn(dataDir)) {
    try {
      if (ownerIn(mark) !== id) writeFileSync(mark, id, { mode: 0o600, flush: true });
    } catch {
      // The disk is full, which keeps nobody from queries. The next start marks it.
    }
  }
}
