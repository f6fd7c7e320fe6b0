import type { Metadata } from '@millrace/metadata/metadata';

/**
 * Deletes acknowledgments that are older than the history.
 * @param before milliseconds since the epoch
 */
export async function forgetAcknowledgments(
  before: number,
  { acknowledgments, database }: Pick<Metadata, 'acknowledgments' | 'database'>,
): Promise<void> {
  const old = (await acknowledgments.list()).filter(({ at }) => Date.parse(at) < before);
  if (old.length === 0) return;
  try {
    await acknowledgments.deleteAll(
      old.map(({ id }) => id),
      database,
    );
  } finally {
    acknowledgments.recordWrite();
  }
}
