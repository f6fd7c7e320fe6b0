import { Bell, BellOff, Check, CircleAlert, CircleHelp, Clock } from 'lucide-react';
import type { ComponentProps } from 'react';
import type { Monitor, Recent, ShownState as State } from '../data/alerts.js';
import { mutedUntil } from '../data/mute.js';
import { Chip } from './chip.js';
import { RelativeTime } from './relative-time.js';

/** Monitor states: label, and rank by urgency. */
const states = {
  open: { title: 'Firing', tone: 'bad', icon: Bell },
  nodata: { title: 'No data', tone: 'warn', icon: CircleHelp },
  failing: { title: 'Failing', tone: 'bad', icon: CircleAlert },
  error: { title: 'Query failed', tone: 'warn', icon: CircleAlert },
  pending: { title: 'First run pending', tone: 'plain', icon: Clock },
  ok: { title: 'OK', tone: 'good', icon: Check },
  off: { title: 'Muted', tone: 'plain', icon: BellOff },
} as const satisfies Readonly<
  Record<State, { title: string; tone: ComponentProps<typeof Chip>['tone']; icon: typeof Bell }>
>;

export const rankOf = (state: State): number => Object.keys(states).indexOf(state);

/**
 * Time of the last match of a monitor for single events. It notifies for each match and does not
 * stay open, so its state alone would hide them.
 */
const lastMatch = (
  monitor: Pick<Monitor, 'type'> | undefined,
  runs: readonly Pick<Recent['runs'][number], 'state' | 'time'>[],
): string | undefined =>
  monitor?.type === 'MatchEvent' ? runs.find(({ state }) => state === 'open')?.time : undefined;

/** State as text and icon; a muted monitor shows until when. */
export function StateChip({
  state,
  monitor,
  runs = [],
}: {
  readonly state: State;
  readonly monitor?: Monitor;
  /** Recent runs, newest first. */
  readonly runs?: Recent['runs'];
}) {
  const matched = state === 'ok' ? lastMatch(monitor, runs) : undefined;
  if (matched !== undefined)
    return (
      <Chip tone="warn">
        <Bell aria-hidden size={12} />
        Matched <RelativeTime at={matched} />
      </Chip>
    );
  const { title, tone, icon: Icon } = states[state];
  const until = monitor && mutedUntil(monitor);
  return (
    <Chip tone={tone}>
      <Icon aria-hidden size={12} />
      {state === 'off' && monitor?.disabled === true ? 'Off' : title}
      {state === 'off' && monitor?.disabled !== true && until !== undefined && <RelativeTime at={until} />}
    </Chip>
  );
}

/** Marks a monitor whose notifications are silenced. */
export const SilencedChip = ({ until }: { readonly until: string | undefined }) =>
  until === undefined ? null : (
    <Chip>
      <BellOff aria-hidden size={12} />
      Silenced, ends <RelativeTime at={until} />
    </Chip>
  );
