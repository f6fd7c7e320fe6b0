import type { Metadata } from '@millrace/metadata/metadata';

/** Deletes silences that ended before a time, so that they do not fill the quota. */
export async function forgetSilences(
  before: number,
  { database, silences }: Pick<Metadata, 'database' | 'silences'>,
): Promise<void> {
  const ended = (await silences.list()).filter(({ endTime }) => endTime !== undefined && Date.parse(endTime) < before);
  if (ended.length === 0) return;
  try {
    await silences.deleteAll(
      ended.map(({ id }) => id),
      database,
    );
  } finally {
    silences.recordWrite();
  }
}
