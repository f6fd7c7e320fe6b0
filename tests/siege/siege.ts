import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../crash/random.js';
import { Server } from '../crash/server.js';
import { freePort } from '../support/free-port.js';
import {
  type Attack,
  attackedDataset,
  attackedMetrics,
  Attacker,
  confidential,
  leakLabel,
  type Ports,
  type Rights,
  victims,
} from './attack.js';
import { kinds } from './kinds.js';
import { forgetPeak, memoryOf } from './memory.js';
import { Stalls } from './stalls.js';
import { Victim } from './victim.js';

export interface SiegeOptions {
  /** The built command. */
  readonly command: string;
  readonly directory: string;
  /** How long an attack may go on. */
  readonly seconds: number;
  /** Only the first attack of each kind. */
  readonly short: boolean;
  /** Number of random attacks of each kind. */
  readonly relatives: number;
  readonly seed: number;
  /** Only attacks whose kind or name has this in it. */
  readonly only?: string;
  readonly progress?: (outcome: Outcome) => void;
}

/** Outcome of one attack. */
export interface Outcome {
  readonly kind: string;
  readonly attack: string;
  readonly statuses: ReadonlyMap<string, number>;
  /**
   * Measurements of the victim, in milliseconds: the 99th percentile of all requests, of requests
   * with an event and of queries, the longest request, and errors.
   */
  readonly percentile: number;
  readonly eventsPercentile: number;
  readonly questionsPercentile: number;
  readonly longest: number;
  readonly troubles: ReadonlyMap<string, number>;
  /** Most bytes of memory during the attack. */
  readonly serverPeak: number;
  readonly enginePeak: number;
  /**
   * The longest time the server's main thread did one thing, in milliseconds on a processor, and
   * where; 0 when none was too long.
   */
  readonly stalled: number;
  readonly stalledIn: readonly string[];
  /** Violations of the guarantees. */
  readonly violations: readonly string[];
}

export interface SiegeResult {
  readonly outcomes: readonly Outcome[];
  /** Events of the victim that were acknowledged. */
  readonly acknowledged: number;
  readonly serverAfter: number;
  readonly engineAfter: number;
  readonly restartMilliseconds: number;
  /** Violations during the attacks and found afterwards. */
  readonly violations: readonly string[];
  /** Output of the server and of earlier ones that ended. */
  readonly printed: string;
}

/**
 * Guarantees of docs/operations.md: maximum memory of the server and of the engine, and of the
 * server once it is idle again.
 */
const GiB = 1024 ** 3;
const maxServerBytes = 2 * GiB;
const maxEngineBytes = 5 * GiB;
const maxServerBytesAfterwards = GiB;

/**
 * Attacks one server with default settings but for its sockets, one attack after the other, while a
 * victim does little.
 */
export async function siege(options: SiegeOptions): Promise<SiegeResult> {
  const ports = {
    syslog: await freePort(),
    fluentd: await freePort(),
    gelf: await freePort(),
    grpc: await freePort(),
  };
  const castle = new Castle(options, ports);
  try {
    await castle.begin();
    const outcomes: Outcome[] = [];
    for (const [kind, attack] of selectAttacks(options)) {
      const outcome = await castle.endure(kind, attack);
      outcomes.push(outcome);
      options.progress?.(outcome);
    }
    return await castle.afterwards(outcomes);
  } finally {
    await castle.end();
  }
}

function selectAttacks({ short, relatives, seed, only }: SiegeOptions): readonly (readonly [string, Attack])[] {
  return Object.entries(kinds)
    .flatMap(([kind, { attacks, relative }]) => {
      const random = new Random(seed, kind);
      const made = relative === undefined ? [] : Array.from({ length: relatives }, () => relative(random));
      return [...(short ? attacks.slice(0, 1) : attacks), ...made].map((attack) => [kind, attack] as const);
    })
    .filter(([kind, { name }]) => only === undefined || `${kind}: ${name}`.includes(only));
}

/** The server under siege, and the victim in it. */
class Castle {
  readonly #options: SiegeOptions;
  readonly #ports: Ports;
  readonly #stalls: Stalls;
  #server: Server;
  /** Output of servers that have ended. */
  #previousOutput = '';
  #victim: Victim | undefined;
  #notifiers: readonly { readonly id: string }[] = [];

  constructor(options: SiegeOptions, ports: Ports) {
    this.#options = options;
    this.#ports = ports;
    this.#stalls = new Stalls(`${options.directory}.stalls`);
    this.#server = this.#createServer();
  }

  async begin(): Promise<void> {
    await this.#waitForStart();
    for (const name of [attackedDataset, victims]) await this.#ask('/v2/datasets', { name });
    await this.#ask('/v2/datasets', { name: attackedMetrics, kind: 'otel:metrics:v1' });
    await this.#ask(
      `/v1/datasets/${attackedDataset}/ingest`,
      Array.from({ length: 1000 }, (_, n) => ({ n, text: `${n}` })),
    );
    await this.#confide();
    const rights = { datasetCapabilities: { [victims]: { ingest: ['create'], query: ['read'] } } };
    this.#victim = new Victim(this.#server.url, await this.#token('victim', rights));
  }

  async endure(kind: string, attack: Attack): Promise<Outcome> {
    const token = await this.#token(attack.name.slice(0, 200), attack.rights);
    const engine = this.#server.enginePid();
    forgetPeak(this.#server.pid);
    forgetPeak(engine);
    await this.#victim!.report();
    this.#stalls.longest();
    const surroundings = { ports: this.#ports, notifiers: this.#notifiers };
    const attacker = new Attacker(this.#server, surroundings, token, AbortSignal.timeout(this.#options.seconds * 1000));
    await attack.run(attacker);
    const peaks = { serverPeak: memoryOf(this.#server.pid).peak, enginePeak: memoryOf(engine).peak };
    // Delayed effects of the attack count, too.
    await sleep(Math.min(1, this.#options.seconds) * 1000);
    const { events, questions, troubles } = await this.#victim!.report();
    const violations = [
      ...[...troubles].map(([what, times]) => `the victim got ${what} ${times} times`),
      ...[...attacker.statuses.keys()].filter((status) => status === '500').map(() => 'answers with 500'),
      ...(attacker.statuses.has(leakLabel) ? [`a response had ${leakLabel}`] : []),
      ...(attack.mustFail === true
        ? [...attacker.statuses.keys()]
            .filter((status) => status.startsWith('2'))
            .map((status) => `${status}, not rejected`)
        : []),
      ...(this.#server.printed.toLowerCase().includes(token) ? ['the server printed the token'] : []),
      ...(peaks.serverPeak > maxServerBytes ? [`the server took ${mebibytes(peaks.serverPeak)} MiB`] : []),
      ...(peaks.enginePeak > maxEngineBytes ? [`the engine took ${mebibytes(peaks.enginePeak)} MiB`] : []),
      ...(this.#server.ended || this.#server.enginePid() === engine ? [] : ['the engine ended']),
      ...(await this.#standAgain()),
    ];
    const stall = this.#stalls.longest();
    return {
      kind,
      attack: attack.name,
      statuses: attacker.statuses,
      percentile: percentile([...events, ...questions]),
      eventsPercentile: percentile(events),
      questionsPercentile: percentile(questions),
      longest: Math.max(0, ...events, ...questions),
      troubles,
      ...peaks,
      stalled: stall?.milliseconds ?? 0,
      stalledIn: stall?.frames ?? [],
      violations,
    };
  }

  /** Compares acknowledged with stored events, before and after a restart. */
  async afterwards(outcomes: readonly Outcome[]): Promise<SiegeResult> {
    const acknowledged = await this.#victim!.stop();
    const violations = outcomes.flatMap(({ kind, attack, violations }) =>
      violations.map((what) => `${kind}: ${attack}: ${what}`),
    );
    violations.push(...(await this.#findMissing(acknowledged, 'afterwards')));
    await this.#quiet();
    const [serverAfter, engineAfter] = [memoryOf(this.#server.pid).now, memoryOf(this.#server.enginePid()).now];
    if (serverAfter > maxServerBytesAfterwards)
      violations.push(`the server keeps ${mebibytes(serverAfter)} MiB when all is quiet`);
    const code = await this.#server.stop();
    if (code !== 0) violations.push(`the server stopped with ${code}`);
    const began = performance.now();
    this.#server = this.#createServer();
    await this.#waitForStart();
    const restartMilliseconds = performance.now() - began;
    violations.push(...(await this.#findMissing(acknowledged, 'after a restart')));
    const printed = this.#previousOutput + this.#server.printed;
    return {
      outcomes,
      acknowledged: acknowledged.length,
      serverAfter,
      engineAfter,
      restartMilliseconds,
      violations,
      printed,
    };
  }

  async end(): Promise<void> {
    await this.#victim?.kill();
    await this.#server.kill();
  }

  /** Stores events of which attackers must see no value, and what repeats them. */
  async #confide(): Promise<void> {
    const { dataset, value } = confidential;
    await this.#ask('/v2/datasets', { name: dataset });
    await this.#ask(`/v1/datasets/${dataset}/ingest`, [{ host: value }]);
    const notifier = (await this.#ask('/v2/notifiers', {
      name: 'notifier',
      properties: { webhook: { url: 'https://notifier.invalid/' } },
    })) as { readonly id: string };
    this.#notifiers = [notifier];
    await this.#ask('/v2/monitors', {
      name: 'hosts',
      type: 'Threshold',
      aplQuery: `${dataset} | summarize count() by host`,
      operator: 'Above',
      threshold: 0,
      notifyByGroup: true,
      intervalMinutes: 1,
      rangeMinutes: 60,
      notifierIds: [notifier.id],
    });
    await this.#ask('/v2/annotations', { datasets: [dataset], type: 'alert', title: value });
  }

  #createServer(): Server {
    const sockets = {
      // For notifiers that attackers run.
      MILLRACE_NOTIFY_PRIVATE_ADDRESSES: 'true',
      MILLRACE_SYSLOG_LISTENERS: `tcp://127.0.0.1:${this.#ports.syslog}/${attackedDataset}`,
      MILLRACE_FLUENTD_LISTENERS: `tcp://127.0.0.1:${this.#ports.fluentd}/${attackedDataset}`,
      MILLRACE_GELF_LISTENERS: ['tcp', 'udp']
        .map((transport) => `${transport}://127.0.0.1:${this.#ports.gelf}/${attackedDataset}`)
        .join(),
      MILLRACE_OTLP_GRPC: `127.0.0.1:${this.#ports.grpc}`,
    };
    return new Server({ ...this.#options, settings: { ...this.#stalls.environment, ...sockets } });
  }

  async #waitForStart(): Promise<void> {
    if (!(await this.#server.ready)) throw new Error(`the server does not start\n${this.#server.printed}`);
  }

  /**
   * A server that has ended is started again, so that the other attacks have something to attack.
   */
  async #standAgain(): Promise<readonly string[]> {
    if (!this.#server.ended) return [];
    const { printed } = this.#server;
    this.#previousOutput += printed;
    this.#server = this.#createServer();
    await this.#waitForStart();
    this.#victim!.updateAddress(this.#server.url);
    return [`the server ended: ${printed.slice(-300)}`];
  }

  /** Waits until the memory of attacks has been released. */
  async #quiet(): Promise<void> {
    await sleep(this.#options.short ? 0 : 60_000);
  }

  async #token(name: string, rights: Rights): Promise<string> {
    const { token } = (await this.#ask('/v2/tokens', { name, ...rights })) as { readonly token: string };
    return token;
  }

  async #ask(path: string, body: unknown): Promise<unknown> {
    const answer = await this.#server.request(path, { body: JSON.stringify(body) });
    if (answer.status !== 200 && answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  }

  async #findMissing(acknowledged: readonly number[], when: string): Promise<readonly string[]> {
    const lines = await this.#server.text(`/v1/export?apl=${encodeURIComponent(`${victims} | project n`)}`);
    const there = new Map<number, number>();
    for (const line of lines.split('\n').filter((line) => line !== '')) {
      const { n } = JSON.parse(line) as { readonly n: number };
      there.set(n, (there.get(n) ?? 0) + 1);
    }
    const missing = acknowledged.filter((n) => !there.has(n)).length;
    const doubled = [...there.values()].filter((times) => times > 1).length;
    return [
      ...(missing > 0 ? [`${missing} acknowledged events are missing ${when}`] : []),
      ...(doubled > 0 ? [`${doubled} events are there more than once ${when}`] : []),
    ];
  }
}

function percentile(milliseconds: readonly number[]): number {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
}

export const mebibytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);
