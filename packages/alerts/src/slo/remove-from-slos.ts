import type { Metadata } from '@millrace/metadata/metadata';

/**
 * Removes a notifier from all objectives. Their monitors lose it like other monitors; without this,
 * an objective could not be written back as it was read.
 */
export async function removeFromSlos({ slos }: Pick<Metadata, 'slos'>, notifierId: string): Promise<void> {
  for (const { id, notifierIds } of await slos.list())
    if (notifierIds.includes(notifierId))
      await slos.update(id, (present) => ({
        ...present,
        notifierIds: present.notifierIds.filter((each) => each !== notifierId),
      }));
}
