import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import { httpError } from '@millrace/api/errors';
import type { Metadata } from '@millrace/metadata/metadata';

/** Monitors that notify depending on the state of others. */

type InhibitionRules = Pick<StoredMonitor, 'inhibitedBy' | 'notifyOnlyWhile'>;

/**
 * Why a monitor notifies no notifier now; undefined if it does.
 * @param isOpen whether a monitor is open, by ID
 */
export function inhibitionOf(
  { inhibitedBy = [], notifyOnlyWhile = [] }: InhibitionRules,
  isOpen: (id: string) => boolean,
): string | undefined {
  if (inhibitedBy.some(isOpen)) return 'Quiet while another monitor is open';
  return notifyOnlyWhile.every(isOpen) ? undefined : 'Quiet until another monitor is open';
}

/**
 * Rejects unknown monitors, and circles of `inhibitedBy`: all of its monitors would be quiet.
 * @param id of the monitor, if it exists
 * @throws HttpError `invalid-request`
 */
export function checkInhibition(
  { inhibitedBy = [], notifyOnlyWhile = [] }: InhibitionRules,
  monitors: readonly StoredMonitor[],
  id: string | undefined,
): void {
  const known = new Map(monitors.map((monitor) => [monitor.id, monitor]));
  for (const [member, ids] of Object.entries({ inhibitedBy, notifyOnlyWhile })) {
    const unknown = ids.find((each) => !known.has(each) || each === id);
    if (unknown !== undefined)
      throw httpError('invalid-request', {
        problem: `body '${member}' names '${unknown}', which is ${unknown === id ? 'the monitor itself' : 'no monitor; list monitors with GET /v2/monitors'}`,
      });
  }
  if (id === undefined) return;
  const visited = new Set<string>();
  const pending = [...inhibitedBy];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next === id)
      throw httpError('invalid-request', {
        problem: "body 'inhibitedBy' leads back to the monitor, so that neither would notify",
      });
    if (visited.has(next)) continue;
    visited.add(next);
    pending.push(...(known.get(next)?.inhibitedBy ?? []));
  }
}

/** Removes a monitor from all others that depend on its state. */
export async function forgetInhibitions(id: string, monitors: Metadata['monitors']): Promise<void> {
  const without = (ids: readonly string[] | undefined) => {
    const left = (ids ?? []).filter((each) => each !== id);
    return left.length === 0 ? undefined : left;
  };
  for (const { id: other, inhibitedBy = [], notifyOnlyWhile = [] } of await monitors.list())
    if (inhibitedBy.includes(id) || notifyOnlyWhile.includes(id))
      await monitors.update(other, ({ inhibitedBy: quiet, notifyOnlyWhile: only, ...kept }) => {
        const [first, second] = [without(quiet), without(only)];
        return {
          ...kept,
          ...(first !== undefined && { inhibitedBy: first }),
          ...(second !== undefined && { notifyOnlyWhile: second }),
        };
      });
}
