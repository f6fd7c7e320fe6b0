import { HttpError } from '@millrace/api/errors';
import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import { forgetInhibitions } from '../routing/inhibition.js';
import { removeFromRoutes, replaceRoutes } from '../routing/route-table.js';
import { removeFromSlos } from '../slo/remove-from-slos.js';
import type { simulatedWorld } from './simulation.js';

type World = Awaited<ReturnType<typeof simulatedWorld>>;

const minute = 60_000;

/** Changes that users make to monitors and notifiers during the simulation. */
export function interventions(world: World, random: (below: number) => number, touched: Set<string>) {
  const { monitors, notifiers, silences, slos } = world.metadata;
  const some = <T>(all: readonly T[]): T | undefined => all[random(all.length)];
  const until = (): string => new Date(world.now() + random(30 * minute)).toISOString();
  const values = async () => (await monitors.list()).filter(({ type }) => type === 'Threshold');
  const change = async (make: (monitor: StoredMonitor) => Partial<StoredMonitor>): Promise<void> => {
    const monitor = some(await values());
    if (monitor !== undefined) await monitors.update(monitor.id, (before) => ({ ...before, ...make(before) }));
  };
  const touch = (make: (monitor: StoredMonitor) => Partial<StoredMonitor>) =>
    change((monitor) => {
      touched.add(monitor.id);
      return make(monitor);
    });
  return [
    () => change(() => ({ disabledUntil: until() })),
    () => touch(({ disabled }) => ({ disabled: !disabled })),
    () => touch(() => ({ threshold: 3 + random(5) })),
    () =>
      touch(({ notifyByGroup, aplQuery }) => ({
        notifyByGroup: !notifyByGroup,
        aplQuery: notifyByGroup ? aplQuery.replace(' by', '') : `${aplQuery} by`,
      })),
    () => change(({ notifierIds }) => ({ notifierIds: notifierIds.slice(1) })),
    async () => {
      const chosen = some(await notifiers.list());
      const later = some(await notifiers.list());
      const route = {
        name: 'r',
        notifierIds: chosen === undefined ? [] : [chosen.id],
        ...(later !== undefined && {
          escalation: { afterMinutes: 1 + random(20), notifierIds: [later.id] },
        }),
      };
      const severities = [some(['error', 'warning'] as const) ?? 'error'];
      const routes = random(3) === 0 ? [] : [{ ...route, severities }];
      await replaceRoutes(world.metadata, { routes, updatedAt: '', updatedBy: '' });
    },
    async () => {
      const ids = (await notifiers.list()).map(({ id }) => id);
      await change(() => ({ notifierIds: ids }));
    },
    async () => {
      const notifier = some((await notifiers.list()).slice(1));
      if (notifier !== undefined)
        await notifiers.update(notifier.id, (before) => ({ ...before, disabledUntil: until() }));
    },
    async () => {
      const all = await notifiers.list();
      const notifier = some(all.slice(1));
      if (notifier === undefined) return;
      const routingKey = `k${random(1000)}`;
      const properties = notifier.properties.pagerduty
        ? { pagerduty: { routingKey } }
        : { webhook: { url: `http://${routingKey}.example` } };
      await notifiers.update(notifier.id, (before) => ({ ...before, properties }));
    },
    async () => {
      if (random(8) > 0) return;
      const notifier = some((await notifiers.list()).slice(1));
      if (notifier === undefined) return;
      for (const monitor of await monitors.list())
        await monitors.update(monitor.id, (before) => ({
          ...before,
          notifierIds: before.notifierIds.filter((id) => id !== notifier.id),
        }));
      await removeFromRoutes(world.metadata, notifier.id);
      await removeFromSlos(world.metadata, notifier.id);
      await notifiers.delete(notifier.id);
    },
    async () => {
      const monitor = some(await values());
      if (monitor === undefined || random(8) > 0) return;
      touched.add(monitor.id);
      await forgetInhibitions(monitor.id, monitors);
      await monitors.delete(monitor.id);
    },
    // A monitor depends only on older ones, so there are no circles.
    async () => {
      const [first, ...others] = await values();
      const monitor = some(others);
      if (first === undefined || monitor === undefined) return;
      const member = some(['inhibitedBy', 'notifyOnlyWhile'] as const) ?? 'inhibitedBy';
      const { inhibitedBy: _, notifyOnlyWhile: _while, ...rest } = monitor;
      await monitors.update(monitor.id, () => ({ ...rest, ...(random(3) > 0 && { [member]: [first.id] }) }));
    },
    async () => {
      const monitor = some(await values());
      // Not match monitors, whose events a silence leaves out.
      const labels = { kind: 'value' };
      const about = [
        { monitorIds: monitor === undefined ? [] : [monitor.id] },
        { labels, groups: { g: 'a' } },
        { labels },
      ];
      const startTime = new Date(world.now()).toISOString();
      const written = { createdAt: startTime, createdBy: '', updatedAt: startTime };
      await silences.create({ reason: 'r', ...some(about), startTime, endTime: until(), ...written });
    },
    async () => {
      const silence = some(await silences.list());
      if (silence !== undefined) await silences.delete(silence.id);
    },
    async () => {
      const { responses } = world.alerts;
      const token = some(tokensIn(world.received));
      if (token === undefined) return;
      const respond = random(2) === 0 ? responses.acknowledge(token, '') : responses.snooze(token, 1 + random(30), '');
      await respond.catch((error: unknown) => {
        if (!(error instanceof HttpError) || error.code !== 'not-found') throw error;
      });
    },
    async () => {
      const slo = some(await slos.list());
      if (slo === undefined) return;
      for (const { id, sloId } of await monitors.list()) if (sloId === slo.id) touched.add(id);
      if (random(8) === 0) return world.alerts.slos.delete(slo.id);
      const alerts = slo.alerts.slice(random(2)).map((alert) => ({ ...alert, burnRate: 3 + random(5) }));
      await world.alerts.slos.update(slo.id, { ...sloOf(slo.notifierIds), alerts }, author);
    },
  ];
}

export const author = { kind: 'personal-token', tokenId: 't', tokenName: 't', userId: 'u', capabilities: [] } as const;

export const sloOf = (notifierIds: string[]) => ({
  name: 's',
  aplQuery: 'slo',
  good: 'good',
  objective: 90,
  windowDays: 1,
  notifierIds,
  alerts: [5, 10].map((longMinutes) => ({ longMinutes, shortMinutes: longMinutes - 4, burnRate: 5 })),
});

const tokensIn = (received: World['received']): readonly string[] =>
  received.flatMap(({ body }) => [...body.matchAll(/\/respond\/([\w.-]+)/g)].map(([, token = '']) => token));
