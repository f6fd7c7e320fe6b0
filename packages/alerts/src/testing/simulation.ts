import type { KyselyPlugin } from 'kysely';
import { pino } from 'pino';
import { httpError } from '@millrace/api/errors';
import { databaseOver } from '@millrace/metadata/database';
import { metadataOver } from '@millrace/metadata/metadata';
import { inMemory, openSqlite } from '@millrace/metadata/sqlite';
import { Metrics } from '@millrace/http/metrics';
import { defaultSettings, type Settings } from '@millrace/http/settings/settings';
import { Alerts } from '../alerts.js';
import type { HttpRequest } from '../channels/channel.js';
import type { Sender } from '../outbox/sender.js';
import type { Source } from '../source.js';

/**
 * A test harness with a simulated clock: late, duplicate and missing events, failing queries, a
 * failing receiver, and a server that can be killed before any database statement, before any
 * query, and before or after any message.
 */

export interface SimulatedEvent {
  readonly position: number;
  /** By {@link AskedRun.clock}. */
  readonly arrived: number;
  readonly time: number;
  readonly group: string;
  readonly value: number;
  /** The engine rejects it until then. */
  readonly heldUntil: number;
}

/** What a run observed: when, by a clock that is never set, or that its query failed. */
export interface AskedRun {
  readonly clock: number;
  readonly failed: boolean;
  /** It found no events. */
  readonly isEmpty: boolean;
}

class KilledError extends Error {}

/** Seeded pseudorandom numbers. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    const mixed = Math.imul(state ^ (state >>> 13), 0x297a2d39);
    return ((mixed ^ (mixed >>> 16)) >>> 0) % below;
  };
}

export async function simulatedWorld(
  random: (below: number) => number,
  settings: Partial<Settings> = {},
  health: () => readonly string[] = () => [],
  onDuty: () => boolean = () => true,
) {
  const sqlite = openSqlite(inMemory);
  const writes = { count: 0 };
  let now = Date.UTC(2026, 10, 20, 10);
  /** A clock that is never set. */
  let elapsed = now;
  const clock = (): number => now;
  const events: SimulatedEvent[] = [];
  const asked = new Map<string, AskedRun>();
  const received: HttpRequest[] = [];
  let calm = false;
  let away = false;
  let broken = false;
  let latency = 0;
  /** Pending responses of receivers, by the time when they arrive. */
  let answers: { readonly at: number; readonly resolve: () => void }[] = [];
  let stepsTaken = 0;
  /** Steps until the kill; 0 for none. */
  let steps = 0;
  let dead = false;

  const step = (): void => {
    stepsTaken++;
    if (steps > 0 && --steps === 0) dead = true;
    if (dead) throw new KilledError('killed');
  };
  const killable: KyselyPlugin = {
    transformQuery: ({ node }) => {
      step();
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const isHeld = ({ heldUntil }: SimulatedEvent): boolean => heldUntil > elapsed;
  const present = (): readonly SimulatedEvent[] => events.filter((event) => !isHeld(event));

  const source: Source = {
    table: async ({ apl, start, end }) => {
      step();
      const [, by] = apl.split(' ');
      const failed = broken || (!calm && random(10) === 0);
      const inside = present().filter(({ time }) => time >= start && time < end);
      asked.set(`${apl} ${end}`, { clock: elapsed, failed, isEmpty: inside.length === 0 });
      if (failed) throw httpError('query-too-long', { seconds: 60 });
      const groups = by === 'by' ? [...new Set(inside.map(({ group }) => group))] : [''];
      const highest = (group: string): number | null => {
        const values = inside.filter((event) => by !== 'by' || event.group === group).map(({ value }) => value);
        return values.length === 0 ? null : Math.max(...values);
      };
      // The query of an SLO's monitor names its column.
      const name = apl.includes('burn_rate') ? 'burn_rate' : 'v';
      const value = { name, role: 'value', values: groups.map(highest) } as const;
      const names = { name: 'g', role: 'group', values: groups } as const;
      return { columns: by === 'by' ? [names, value] : [value], rows: groups.length, datasets: ['logs'] };
    },
    matches: async ({ after, upTo, late }) => {
      step();
      if (broken || (!calm && random(10) === 0)) throw httpError('query-too-long', { seconds: 60 });
      const isAsked = (position: bigint): boolean => (position > after && position <= upTo) || late.includes(position);
      return {
        events: present()
          .filter(({ position, value }) => isAsked(BigInt(position)) && value >= 7)
          .map(({ position, value }) => ({ id: String(position), event: { position, value } })),
        held: events.filter(isHeld).map(({ position }) => BigInt(position)),
      };
    },
    eventsBetween: async () => [],
    position: async () => {
      step();
      return BigInt(events.length);
    },
  };

  const sender: Sender = {
    post: async (request) => {
      step();
      const outcome = away ? 2 : calm ? 3 : random(6);
      if (outcome === 0) return { kind: 'none', problem: 'it is away', final: false };
      received.push(request);
      if (latency > 0) await new Promise<void>((resolve) => answers.push({ at: now + latency, resolve }));
      // The message arrived, but the response was lost, or the server was killed before it.
      step();
      if (outcome === 1) return { kind: 'none', problem: 'no answer', final: false };
      const status = outcome === 2 ? 503 : 200;
      return { kind: 'answer', answer: { status, headers: outcome === 2 ? { 'retry-after': '30' } : {}, text: '' } };
    },
    mail: async () => ({ kind: 'delivered' }),
  };

  const open = async (isOnDuty = onDuty) => {
    dead = false;
    steps = 0;
    const database = databaseOver(sqlite, undefined, writes).withPlugin(killable);
    const metadata = await metadataOver(database, clock, undefined, { writes });
    const alerts = await Alerts.open({
      metadata,
      clock,
      source,
      sender,
      settings: defaultSettings({
        monitorsAtOnce: 2,
        monitorRuns: 100_000,
        notifyRetries: 7 * 86_400_000,
        notifyPerMinute: 10_000,
        matchesPerMinute: 10_000,
        matchesPerDay: 100_000,
        ...settings,
      }),
      metrics: new Metrics(),
      logger: pino({ level: 'silent' }),
      checkQuery: async () => undefined,
      translate: () => undefined,
      commitEvery: 0,
      health,
      node: { isLeader: isOnDuty },
    });
    return { metadata, alerts };
  };

  let server = await open();
  /** Starts the server again if it was killed. */
  const surviveKill = async (): Promise<void> => {
    steps = 0;
    if (!dead) return;
    // Transactions of the killed server end first.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    server = await open();
  };
  return {
    get metadata() {
      return server.metadata;
    },
    get alerts() {
      return server.alerts;
    },
    events,
    asked,
    received,
    now: clock,
    advance: (milliseconds: number) => {
      now += milliseconds;
      elapsed += milliseconds;
    },
    /** Sets the clock, which the time that passes does not. */
    setClock: (milliseconds: number) => void (now += milliseconds),
    /** @param held milliseconds for which the engine rejects it */
    arrive: (event: Omit<SimulatedEvent, 'position' | 'arrived' | 'heldUntil'>, held = 0) =>
      void events.push({ ...event, position: events.length + 1, arrived: elapsed, heldUntil: elapsed + held }),
    /** Makes the receiver respond with 503 to every request, or stops that. */
    leave: (isAway: boolean) => void (away = isAway),
    /** Makes every query fail, or stops that. */
    breakQueries: (isBroken: boolean) => void (broken = isBroken),
    /** Delays responses of receivers by this many milliseconds; then use `proceed`. */
    slowDown: (milliseconds: number) => void (latency = milliseconds),
    /** Advances the clock and runs everything that is due. */
    proceed: async (milliseconds: number): Promise<void> => {
      now += milliseconds;
      elapsed += milliseconds;
      for (const { resolve } of answers.filter(({ at }) => at <= now)) resolve();
      answers = answers.filter(({ at }) => at > now);
      await server.alerts.tick();
      let isIdle = false;
      void server.alerts.idle().then(() => void (isIdle = true));
      // Deliveries wait for the simulated clock.
      for (let quiet = 0; !isIdle && quiet < 10;) {
        const before = stepsTaken;
        await new Promise((resolve) => setImmediate(resolve));
        quiet = stepsTaken === before && answers.length > 0 ? quiet + 1 : 0;
      }
    },
    /** Stops injecting faults. */
    calmDown: () => void (calm = true),
    /**
     * Runs everything that is due, and its consequences.
     * @param killAfter steps until the server is killed and restarted; 0: never
     */
    settle: async (killAfter = 0) => {
      steps = killAfter;
      await server.alerts.tick().catch(() => undefined);
      await server.alerts.idle().catch(() => undefined);
      await server.alerts.tick().catch(() => undefined);
      await server.alerts.idle().catch(() => undefined);
      await surviveKill();
    },
    /**
     * Runs what a user changes.
     * @param killAfter steps until the server is killed and restarted; 0: never
     */
    edit: async (change: () => unknown, killAfter = 0) => {
      steps = killAfter;
      try {
        await change();
      } catch (error) {
        if (!dead) throw error;
      }
      await surviveKill();
    },
    restart: async () => void (server = await open()),
    /** Another process over the same metadata. */
    another: async (isOnDuty: () => boolean) => (await open(isOnDuty)).alerts,
    close: () => sqlite.close(),
  };
}
