import type { StoredAcknowledgment } from '@millrace/api/schemas/monitor';
import type { MonitorState } from '../state/state.js';

/**
 * Keys of the open groups that a user has acknowledged. An acknowledgment is about one incident: it
 * says nothing about the next time the group opens.
 */
export function acknowledgedGroups(
  monitorId: string,
  { groups }: Pick<MonitorState, 'groups'>,
  all: readonly StoredAcknowledgment[],
): ReadonlyMap<string, StoredAcknowledgment> {
  return new Map(
    all
      .filter((each) => each.monitorId === monitorId && groups[each.group]?.since === each.since)
      .map((each) => [each.group, each]),
  );
}
