import { api } from './api.js';
import { type Monitor, type Notifier, refreshAlerts } from './alerts.js';
import { instantAt, wallTime } from './time/zones.js';
import { DAY, HOUR, instantText, nowInstant } from './time/instants.js';

/** Mute durations. */
interface Silence {
  readonly id: string;
  readonly title: string;
  readonly until: (zone: string) => string;
}

export const silences: readonly Silence[] = [
  { id: '1h', title: '1 hour', until: () => instantText(nowInstant() + HOUR) },
  { id: '8h', title: '8 hours', until: () => instantText(nowInstant() + 8n * HOUR) },
  {
    id: 'morning',
    title: 'Until tomorrow 09:00',
    until: (zone) => {
      const tomorrow = wallTime(nowInstant() + DAY, zone).day;
      return instantText(instantAt(tomorrow, '09:00:00', zone) ?? nowInstant() + DAY);
    },
  },
  { id: '7d', title: '1 week', until: () => instantText(nowInstant() + 7n * DAY) },
];

/** Whether it is muted now, and until when. */
export const mutedUntil = ({ disabledUntil }: Pick<Monitor, 'disabledUntil'>, now = Date.now()): string | undefined =>
  disabledUntil !== undefined && Date.parse(disabledUntil) > now ? disabledUntil : undefined;

export const monitorIsOff = (monitor: Monitor): boolean => monitor.disabled || mutedUntil(monitor) !== undefined;

/** Mutes monitors until a time; undefined unmutes them and enables disabled ones. */
export async function muteMonitors(monitors: readonly Monitor[], until: string | undefined): Promise<void> {
  for (const { disabledUntil: _, ...monitor } of monitors)
    await api.call('updateMonitor', {
      params: { id: monitor.id },
      body: { ...monitor, disabled: false, ...(until !== undefined && { disabledUntil: until }) },
    });
  await refreshAlerts();
}

/** Disables monitors. */
export async function turnOff(monitors: readonly Monitor[]): Promise<void> {
  for (const monitor of monitors)
    await api.call('updateMonitor', { params: { id: monitor.id }, body: { ...monitor, disabled: true } });
  await refreshAlerts();
}

/** Mutes a notifier until a time; undefined unmutes it. */
export async function muteNotifier(notifier: Notifier, until: string | undefined): Promise<void> {
  const { disabledUntil: _, ...rest } = notifier;
  await api.call('updateNotifier', {
    params: { id: notifier.id },
    body: { ...rest, ...(until !== undefined && { disabledUntil: until }) },
  });
  await refreshAlerts();
}
