import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import type { Silence } from '@millrace/api/schemas/silence';
import type { Change } from '../state/transition.js';
import { failingGroup } from '../state/monitor-failure.js';
import { activeUntil } from './schedule.js';

/** The silences of one monitor at one time. */

export interface ActiveSilences {
  /** Silences everything of the monitor. */
  readonly whole: Silence | undefined;
  /** When no silence of the whole monitor is active any more, milliseconds since the epoch. */
  readonly until: number | undefined;
  /** Silence some of its groups. */
  readonly ofGroups: readonly Silence[];
}

export function silencesOf(
  monitor: Pick<StoredMonitor, 'id' | 'labels'>,
  silences: readonly Silence[],
  now: number,
): ActiveSilences {
  const active = silences.flatMap((silence) => {
    const until = selects(silence, monitor) ? activeUntil(silence, now) : undefined;
    return until === undefined ? [] : [{ silence, until }];
  });
  const isWhole = ({ silence: { groups = {} } }: (typeof active)[number]): boolean => Object.keys(groups).length === 0;
  const whole = active.filter(isWhole).toSorted((a, b) => b.until - a.until)[0];
  return {
    whole: whole?.silence,
    until: whole?.until,
    ofGroups: active.filter((each) => !isWhole(each)).map(({ silence }) => silence),
  };
}

/** Whether a silence is about a monitor, or groups of it. */
function selects({ labels = {}, monitorIds }: Silence, monitor: Pick<StoredMonitor, 'id' | 'labels'>): boolean {
  if (monitorIds !== undefined && !monitorIds.includes(monitor.id)) return false;
  return Object.entries(labels).every(([name, value]) => monitor.labels?.[name] === value);
}

/** Whether a group is silenced. A monitor that cannot run is no group of it. */
export function isSilenced(
  { group, keys, labels }: Pick<Change, 'group' | 'keys' | 'labels'>,
  silences: readonly Silence[],
) {
  if (group === failingGroup) return false;
  const values = new Map(keys.map((key, i) => [key, String(labels[i])]));
  return silences.some(({ groups = {} }) =>
    Object.entries(groups).every(([name, value]) => values.get(name) === value),
  );
}
