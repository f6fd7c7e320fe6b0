import { expect, test } from 'vitest';
import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import { changesOf, runsOf } from './state/records.js';
import { isOff } from './monitor.js';
import { keysOfMessages, mistakesOf, openAtReceivers, outOfOrder } from './testing/receiver-model.js';
import { inhibitionOf } from './routing/inhibition.js';
import { storedRoutes } from './routing/route-table.js';
import { author, interventions, sloOf } from './testing/interventions.js';
import { storedMonitor } from './testing/monitors.js';
import { modelRuns } from './testing/model.js';
import { randomOf, simulatedWorld } from './testing/simulation.js';
import { caseCount } from '../../../tests/support/depth.js';

/**
 * Simulates hours of faults and kills while users change monitors, notifiers, routes, silences and
 * an SLO, and acknowledge and snooze through links in messages; in some, the clock is set. Compares
 * with a simple model: groups open and close as in the model; each matching event is notified at
 * least once and, by its key, exactly once; receivers have exactly the open groups open.
 * `SIMULATIONS=2000 npx vitest run packages/alerts/src/simulation.test.ts` runs more.
 */

const simulations = Number(process.env['SIMULATIONS'] ?? caseCount(2, 200));
const minute = 60_000;
/** Maximum groups with separate incidents. */
const maxAlone = 2;
/** Failed runs in a row after which a monitor is failing. */
const maxFailures = 2;
/** How long a group without data is remembered. */
const memory = 20 * minute;

function randomMonitor(random: (below: number) => number, n: number, now: number): Omit<StoredMonitor, 'id'> {
  const chance = (): boolean => random(3) === 0;
  const notifyByGroup = random(2) === 0;
  const triggerFromNRuns = random(4);
  const operator = chance() ? 'BelowOrEqual' : 'Above';
  const threshold = 3 + random(5);
  const { id: _, ...monitor } = storedMonitor({
    name: `m${n}`,
    type: n % 4 === 3 ? 'MatchEvent' : 'Threshold',
    aplQuery: `q${n}${notifyByGroup ? ' by' : ''}`,
    operator,
    threshold,
    ...(chance() && { recoveryThreshold: operator === 'Above' ? threshold - 2 : threshold + 2 }),
    ...(chance() && { keepFiringMinutes: 1 + random(10) }),
    intervalMinutes: n % 4 === 3 ? 1 : 1 + random(3),
    rangeMinutes: n % 4 === 3 ? 1 : 1 + random(6),
    secondDelay: [0, 30, 120][random(3)]!,
    severity: n % 4 === 3 ? 'info' : chance() ? 'warning' : 'error',
    alertOnNoData: chance(),
    notifyByGroup,
    ...(n % 4 !== 3 && { labels: { kind: 'value' } }),
    notifyEveryRun: chance(),
    skipResolved: chance(),
    triggerFromNRuns,
    triggerAfterNPositiveResults: random(triggerFromNRuns + 1),
    notifierIds: [],
    createdAt: new Date(now).toISOString(),
  });
  return monitor;
}

type World = Awaited<ReturnType<typeof simulatedWorld>>;

/** Monitors that are open. */
async function openMonitors({ alerts }: World): Promise<ReadonlySet<string>> {
  const status = await alerts.states.status();
  return new Set(status.filter(({ openGroupCount }) => openGroupCount > 0).map(({ id }) => id));
}

/** A group may not be escalated yet, if the next run is. */
const slack = 5 * minute;

/**
 * Compares the incidents that receivers have open with the open groups.
 * @param steady monitors by whether they have been open or closed for long; undefined while that
 * changes, when any notifier may have an open group
 */
async function receiversOf(world: World, unresolved: readonly string[], steady?: ReadonlyMap<string, boolean>) {
  const [all, notifiers] = [await world.metadata.monitors.list(), await world.metadata.notifiers.list()];
  const [route] = await storedRoutes(world.metadata);
  const status = new Map((await world.alerts.states.status()).map((each) => [each.id, each]));
  const followed = await Promise.all(
    all.map(async (monitor) => {
      const { inhibitedBy = [], notifyOnlyWhile = [], severity = 'error' } = monitor;
      const isRouted = route?.severities?.includes(severity) === true;
      const isKnown = [...inhibitedBy, ...notifyOnlyWhile].every((id) => steady?.has(id));
      const isQuiet = inhibitionOf(monitor, (id) => steady?.get(id) === true) !== undefined;
      const { open, acknowledged } = await world.alerts.states.openGroups(monitor.id);
      const needs = (group: string, since: number) => (id: string) => {
        if (steady === undefined || !isKnown) return 'maybe';
        if (isQuiet) return 'no';
        if (monitor.notifierIds.includes(id) || (isRouted && route.notifierIds.includes(id))) return 'yes';
        if (!isRouted || route.escalation?.notifierIds.includes(id) !== true) return 'no';
        const isDue = world.now() - since >= route.escalation.afterMinutes * minute + slack;
        return isDue && !acknowledged.has(group) ? 'yes' : 'maybe';
      };
      return {
        monitor,
        notifiers: notifiers.filter(
          ({ id }) =>
            !isOff(monitor, world.now()) &&
            (steady === undefined ||
              monitor.notifierIds.includes(id) ||
              (isRouted && [...route.notifierIds, ...(route.escalation?.notifierIds ?? [])].includes(id))),
        ),
        openGroups: Object.entries(open).map(([group, { labels, since = 0 }]) => ({
          labels,
          needs: needs(group, since),
        })),
        isFailing: status.get(monitor.id)!.failing !== undefined,
      };
    }),
  );
  const { forgotten, missing } = mistakesOf(openAtReceivers(world.received), followed);
  return { forgotten: forgotten.filter((key) => !unresolved.some((id) => key.includes(id))), missing };
}

/** Untouched monitors are failing exactly if that many of their last runs failed. */
async function failuresOf(world: World, touched: ReadonlySet<string>) {
  const untouched = (await world.alerts.states.status()).filter(({ id }) => !touched.has(id));
  const counted = untouched.map(async ({ id, failing }) => {
    const runs = await runsOf(id, world.metadata.database);
    const succeeded = runs.findIndex(({ state }) => state !== 'error');
    const failed = succeeded === -1 ? runs.length : succeeded;
    return { id, expected: failed >= maxFailures ? failed : undefined, is: failing?.runs };
  });
  return (await Promise.all(counted)).filter(({ expected, is }) => expected !== is);
}

/** Whether there was a reason to make no run between two. */
function isLeftOut(
  { aplQuery, secondDelay, intervalMinutes }: StoredMonitor,
  { from, to }: { readonly from: number; readonly to: number },
  { asked }: World,
): boolean {
  const queryAt = (time: number) => asked.get(`${aplQuery} ${time - secondDelay * 1000}`);
  if (queryAt(from)?.failed === true) return true;
  const interval = intervalMinutes * minute;
  for (let time = from + interval; time < to; time += interval) if (queryAt(time)?.isEmpty !== true) return false;
  return true;
}

/** Whether a notification is still pending. */
async function isQuiet({ database }: World['metadata']): Promise<boolean> {
  const waiting = await database.selectFrom('notifications').select('id').where('state', '=', 'waiting').execute();
  const due = await database.selectFrom('receiver_states').select('monitor_id').where('due', '=', 1).execute();
  return waiting.length + due.length === 0;
}

test.each(Array.from({ length: simulations }, (_, i) => i + 1))('simulation %i', async (seed) => {
  const random = randomOf(seed);
  const world = await simulatedWorld(random, {
    notifyGroups: maxAlone,
    monitorFailures: maxFailures,
    monitorGroupMemory: memory,
    consoleUrl: 'https://logs.example.com',
  });
  const written = { createdAt: '', createdBy: '', updatedAt: '' };
  const properties = [
    { webhook: { url: 'http://receiver.example' } },
    { pagerduty: { routingKey: 'k' } },
    { webhook: { url: 'http://other.example' } },
  ];
  const groupings = [{}, { groupWaitSeconds: 20 }, { groupWaitSeconds: 30, groupIntervalMinutes: 3 }];
  const notifierIds: string[] = [];
  for (const [n, each] of properties.entries()) {
    const notifier = { name: 'n', properties: each, ...groupings[n], ...written };
    notifierIds.push((await world.metadata.notifiers.create(notifier)).id);
  }
  const [notifierId = ''] = notifierIds;
  const monitors: StoredMonitor[] = [];
  for (let n = 0; n < 6; n++) {
    world.advance(random(50_000));
    const drafted = randomMonitor(random, n, world.now());
    const isMatch = drafted.type === 'MatchEvent';
    const made = { ...drafted, notifierIds: isMatch ? [notifierId] : notifierIds };
    monitors.push(await world.metadata.monitors.create(made));
  }
  const { monitorIds } = await world.alerts.slos.create(sloOf(notifierIds), author);
  for (const id of monitorIds) monitors.push(await world.metadata.monitors.get(id));
  const touched = new Set<string>();
  // Receivers never get a resolution of these.
  const unresolved = monitors.filter(({ skipResolved }) => skipResolved).map(({ id }) => id);
  let interventionCount = 0;
  const isClockSet = seed % 4 === 0;
  for (let i = 0; i < 80; i++) {
    world.advance(random(12) === 0 ? 10 * minute + random(minute) : 1000 + random(90_000));
    if (isClockSet && random(8) === 0) {
      world.setClock((random(2) === 0 ? -1 : 1) * random(11 * minute));
      // The model knows one run for each time.
      for (const { id, type } of monitors) if (type !== 'MatchEvent') touched.add(id);
    }
    for (let n = random(4); n > 0; n--) {
      const late = random(3) === 0 ? random(8 * minute) : random(20_000);
      const event = { time: world.now() - late, group: 'abcde'[random(5)]!, value: random(10) };
      // The engine may reject it at first and accept it after later events.
      const held = random(10) === 0 ? random(15 * minute) : 0;
      for (let twice = random(6) === 0 ? 2 : 1; twice > 0; twice--) world.arrive(event, held);
    }
    if (random(4) === 0) {
      const all = interventions(world, random, touched);
      const change = all[random(all.length)]!;
      await world.edit(change, random(4) === 0 ? 1 + random(8) : 0);
      interventionCount++;
    }
    world.breakQueries(random(5) === 0);
    await world.settle(random(3) === 0 ? 1 + random(120) : 0);
    // Runs in the order of their times.
    if (!isClockSet) expect(await failuresOf(world, touched)).toEqual([]);
    if (await isQuiet(world.metadata)) expect((await receiversOf(world, unresolved)).forgotten).toEqual([]);
  }
  world.breakQueries(false);
  world.calmDown();
  // Open monitors after each step.
  const history: ReadonlySet<string>[] = [];
  const steps = 14;
  for (let i = 0; i < steps; i++) {
    world.advance(11 * minute);
    // The last changes wait for no others.
    if (i === steps - 1)
      for (const { id } of await world.metadata.notifiers.list())
        await world.metadata.notifiers.update(id, (before) => ({
          ...before,
          groupWaitSeconds: 0,
          groupIntervalMinutes: 0,
        }));
    world.arrive({ time: world.now(), group: 'ab'[random(2)]!, value: random(10) });
    await world.settle();
    history.push(await openMonitors(world));
  }
  const steady = new Map(
    (await world.metadata.monitors.list())
      .map(({ id }) => [id, history.slice(-3).map((open) => open.has(id))] as const)
      .filter(([, states]) => new Set(states).size === 1)
      .map(([id, [isOpen = false]]) => [id, isOpen] as const),
  );

  const { database } = world.metadata;
  expect(await isQuiet(world.metadata)).toBe(true);
  expect(await receiversOf(world, unresolved, steady)).toEqual({ forgotten: [], missing: [] });
  for (const [name, keys] of keysOfMessages(world.received)) {
    expect(outOfOrder(keys)).toEqual([]);
    const monitor = monitors.find(({ id }) => name.endsWith(id));
    if (monitor === undefined || monitor.type === 'MatchEvent') continue;
    // A run sends one message for openings and one for closings; an incident is in one of them.
    const runs = (await runsOf(monitor.id, database)).length;
    if (runs > 0) expect(new Set(keys).size).toBeLessThanOrEqual(2 * (runs + interventionCount));
  }
  const closed = world.received.filter(({ body }) => /"(Closed|resolve)"/.test(body)).map(({ body }) => body);
  expect(closed.filter((body) => unresolved.some((id) => body.includes(id)))).toEqual([]);
  const gone = await database.selectFrom('receiver_states').select('notifier_id').where('notifier', '!=', '').execute();
  expect(gone).toEqual([]);
  const keys = (monitor: StoredMonitor) =>
    world.received
      .filter(({ body }) => body.includes(`"monitorID":"${monitor.id}"`) && !body.includes('"matchedEvent":null'))
      .map(({ headers }) => headers['idempotency-key'] ?? '');

  for (const monitor of monitors) {
    if (touched.has(monitor.id)) continue;
    const times = (await runsOf(monitor.id, database)).map(({ time }) => time).toReversed();
    const created = Date.parse(monitor.createdAt);
    const interval = monitor.intervalMinutes * minute;
    if (!isClockSet)
      expect(times.every((time, i) => (time - created) % interval === 0 && (i === 0 || time > times[i - 1]!))).toBe(
        true,
      );
    if (monitor.type === 'MatchEvent') {
      const matching = world.events
        .filter(({ value }) => value >= 7)
        .map(({ position }) => `${monitor.id}-${position}-${notifierId}`);
      expect(new Set(keys(monitor))).toEqual(new Set(matching));
      continue;
    }
    // Runs that are missing failed or found no data, or came after one that failed.
    if (monitor.operator === 'Above')
      expect(times.filter((time, i) => i > 0 && !isLeftOut(monitor, { from: times[i - 1]!, to: time }, world))).toEqual(
        [],
      );
    const model = modelRuns(monitor, times, world, memory);
    const changes = await changesOf(monitor.id, { from: 0, to: Number.MAX_SAFE_INTEGER }, database);
    const name = (group: string): string => (group === '' ? monitor.name : `${monitor.name} (${group})`);
    const expected = model.flatMap(({ time, opened, closed }) => [
      ...opened.map((group) => `${time} open ${name(group)}`),
      ...closed.map((group) => `${time} closed ${name(group)}`),
    ]);
    expect(
      changes.map((change) => `${Date.parse(change.timestamp)} ${change.state} ${change.name}`).toSorted(),
    ).toEqual(expected.toSorted());
  }
  // Something happened at all.
  expect(world.received.length).toBeGreaterThan(20);
  world.close();
});
