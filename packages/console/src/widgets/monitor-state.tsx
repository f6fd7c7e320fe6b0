import { Bell, BellOff, Check, CircleAlert, CircleHelp } from 'lucide-react';
import type { ComponentProps } from 'react';
import type { Monitor, MonitorStatus } from '../data/alerts.js';
import { silentUntil } from '../data/mute.js';
import { Chip } from './chip.js';
import { Moment } from './moment.js';

type State = MonitorStatus['state'];

/**
 * How a monitor stands: what it is called, and where it comes in a list of what needs looking
 * after.
 */
const states = {
  open: { title: 'Firing', tone: 'bad', icon: Bell },
  nodata: { title: 'No data', tone: 'warn', icon: CircleHelp },
  error: { title: 'Query failed', tone: 'warn', icon: CircleAlert },
  ok: { title: 'OK', tone: 'good', icon: Check },
  off: { title: 'Muted', tone: 'plain', icon: BellOff },
} as const satisfies Readonly<
  Record<State, { title: string; tone: ComponentProps<typeof Chip>['tone']; icon: typeof Bell }>
>;

export const rankOf = (state: State): number => Object.keys(states).indexOf(state);

/** The state, in words and with a sign; a muted monitor says until when. */
export function StateChip({ state, monitor }: { readonly state: State; readonly monitor?: Monitor }) {
  const { title, tone, icon: Icon } = states[state];
  const until = monitor && silentUntil(monitor);
  return (
    <Chip tone={tone}>
      <Icon aria-hidden size={12} />
      {state === 'off' && monitor?.disabled === true ? 'Off' : title}
      {state === 'off' && monitor?.disabled !== true && until !== undefined && <Moment at={until} />}
    </Chip>
  );
}
