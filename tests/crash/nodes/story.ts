import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../random.ts';
import { Tally } from '../tally.ts';
import { ask, ingestWithSdk, query } from './client.ts';
import { type Batch, bodyOf, eventsOf, sumOf } from './model.ts';
import type { Scene } from './scene.ts';
import { Tail } from './tail.ts';

const datasets = ['orders', 'requests', 'traces'];
const writers = 4;
/** More of them use the official JavaScript client. */
const sdkWriters = 2;
/** Statuses that are expected during faults, and under load. */
const later: ReadonlySet<number> = new Set([0, 429, 503]);

export interface StoryOptions {
  readonly scene: Scene;
  readonly cycles: number;
  readonly seed: number;
  readonly progress?: (line: string) => void;
}

/**
 * Time in milliseconds until two killed replicas accept inserts again: Keeper must expire their
 * sessions, which takes half a minute, and they must fetch the data of the third.
 */
const sentAgainFor = 120_000;

async function hasAllShards(node: Scene['nodes'][number]): Promise<boolean> {
  const { status, body } = await ask(node, '/v1/shards');
  return status === 200 && (body as readonly { readonly ready: boolean }[]).every(({ ready }) => ready);
}

/** Clients at random nodes, and strikes; ends at the first cycle that finds a violation. */
export class Story {
  readonly #scene: Scene;
  readonly #seed: number;
  readonly tally = new Tally();
  readonly #batches: Batch[] = [];
  readonly #tails: Tail[] = [];
  #verifiedCount = 0;
  #followedCount = 0;
  #over = false;

  constructor({ scene, seed }: Pick<StoryOptions, 'scene' | 'seed'>) {
    this.#scene = scene;
    this.#seed = seed;
  }

  static async tell({ cycles, progress = () => undefined, ...options }: StoryOptions): Promise<Story> {
    const story = new Story(options);
    for (const dataset of datasets) await story.#create(dataset);
    story.#follow();
    for (let cycle = 1; cycle <= cycles && story.tally.violations.length === 0; cycle++) {
      await story.#cycle(cycle);
      progress(story.tally.line(cycle));
    }
    await story.#verifyAll(story.#batches);
    await Promise.all(story.#tails.map((tail) => tail.verify(story.#batches)));
    await Promise.all(story.#tails.map((tail) => tail.end()));
    return story;
  }

  get #nodes() {
    return this.#scene.nodes;
  }

  async #create(name: string): Promise<void> {
    const shard = this.#scene.shards > 1 ? `?shard=${this.#shardOf(name) + 1}` : '';
    const path = `/v2/datasets${shard}`;
    const { status } = await ask(this.#nodes[0]!, path, { body: JSON.stringify({ name }) });
    if (status !== 200) this.tally.violation('unexpected', `a dataset was not made: ${status}`);
  }

  #follow(): void {
    for (const dataset of datasets)
      this.#tails.push(new Tail(this.#scene, dataset, new Random(this.#seed, 'tail', dataset), this.tally));
  }

  async #cycle(cycle: number): Promise<void> {
    const random = new Random(this.#seed, 'cycle', cycle);
    this.#over = false;
    const clients = Array.from({ length: writers + sdkWriters }, (_, i) =>
      this.#write(new Random(this.#seed, cycle, i), `${cycle}-${i}`, i >= writers),
    );
    await sleep(random.between(200, 1500));
    const how = random.pickWeighted(this.#scene.strikes);
    this.tally.count(`strikes: ${how}`);
    let shards = 0;
    const checkOthers = (shard?: number): Promise<void> => this.#othersGoOn(shard, `meanwhile ${cycle}-${shards++}`);
    this.tally.count('processes killed', await this.#scene.strike(how, random, checkOthers));
    await sleep(random.between(0, 800));
    this.#over = true;
    await Promise.all(clients);
    await this.#waitForRecovery();
    await this.#sendAgain(random);
    await this.#verifyAll(this.#batches.slice(this.#verifiedCount));
    // A tail stalls until the inserts of a dead node are fenced; the test does not wait for that.
    const toFollow = this.#batches.slice(this.#followedCount, this.#verifiedCount);
    await Promise.all(this.#tails.map((tail) => tail.verify(toFollow)));
    this.#followedCount = this.#verifiedCount;
    this.#verifiedCount = this.#batches.length;
    await this.#fieldsAtOnce(cycle);
    await this.#revoke(random);
    await this.#scene.inspect?.(this.tally);
  }

  async #waitForRecovery(): Promise<void> {
    const until = performance.now() + 240_000;
    for (const [n, node] of this.#nodes.entries())
      for (;;) {
        const { status } = await ask(node, '/healthz');
        if (status === 200 && (this.#scene.shards === 1 || (await hasAllShards(node)))) break;
        if (performance.now() > until)
          return this.tally.violation('unexpected', `node ${n} does not recover: ${status}`);
        await sleep(50);
      }
  }

  #shardOf(dataset: string): number {
    return datasets.indexOf(dataset) % this.#scene.shards;
  }

  /** While one shard is away, or none, each node takes and shows events of all others. */
  async #othersGoOn(away: number | undefined, name: string): Promise<void> {
    for (const dataset of datasets.filter((each) => this.#shardOf(each) !== away))
      for (const place of this.#nodes.keys()) {
        const id = `${name} ${dataset} ${place}`;
        // Without a strike tables may be moving to other leaders, and the machine slow.
        const key = away === undefined ? { key: `key ${id}` } : {};
        const batch: Batch = { id, dataset, count: 2, fields: [], fate: 'sent', ...key };
        this.#batches.push(batch);
        if (away === undefined) await this.#sendUntilTaken(batch, () => place);
        else await this.#send(batch, [place]);
        if (batch.fate !== 'acknowledged')
          this.tally.violation(
            'unexpected',
            `${id} was not taken, though ${away === undefined ? 'nothing' : `only shard ${away + 1}`} was struck`,
          );
        else await this.#verifyVisible(batch, (place + 1) % this.#nodes.length);
        this.tally.count(`batches while ${away === undefined ? 'nothing' : 'another shard'} was struck`);
      }
  }

  async #write(random: Random, name: string, isOfSdk: boolean): Promise<void> {
    for (let n = 0; !this.#over; n++) {
      const id = `${name}-${n}`;
      const batch: Batch = {
        id,
        dataset: random.pick(datasets),
        count: random.chance(0.2) ? random.between(100, 2000) : random.between(1, 20),
        fields: random.chance(0.1) ? [`new ${id} a`, `new ${id} b`] : [],
        fate: 'sent',
        ...(isOfSdk ? { isOfSdk } : random.chance(0.3) && { key: `key ${id}` }),
      };
      this.#batches.push(batch);
      // With a key it may be sent to several nodes at once.
      const places = batch.key !== undefined && random.chance(0.5) ? [0, 1, 2] : [random.between(0, 2)];
      await this.#send(batch, places);
      if (batch.fate === 'acknowledged') await this.#verifyVisible(batch, (places[0]! + random.between(1, 2)) % 3);
    }
  }

  async #send(batch: Batch, places: readonly number[]): Promise<void> {
    if (batch.isOfSdk === true) return this.#sendWithSdk(batch, this.#nodes[places[0]!]!);
    const headers = batch.key === undefined ? {} : { 'idempotency-key': batch.key };
    const body = bodyOf(batch);
    const responses = await Promise.all(
      places.map((place) => ask(this.#nodes[place]!, `/v1/datasets/${batch.dataset}/ingest`, { body, headers })),
    );
    for (const { status, body: said } of responses) {
      if (status === 200) this.tally.count('batches acknowledged');
      else if (later.has(status)) this.tally.count(`batches answered ${status === 0 ? 'by nobody' : status}`);
      else this.tally.violation('unexpected', `ingest: ${status} ${JSON.stringify(said)}`);
    }
    if (responses.some(({ status }) => status === 200)) batch.fate = 'acknowledged';
    else if (batch.fate === 'sent') batch.fate = 'unknown';
  }

  async #sendWithSdk(batch: Batch, node: Scene['nodes'][number]): Promise<void> {
    const isTaken = await ingestWithSdk(node, batch.dataset, eventsOf(batch));
    this.tally.count(isTaken ? 'batches acknowledged to an SDK' : 'batches an SDK gave up');
    batch.fate = isTaken ? 'acknowledged' : 'unknown';
  }

  /** Checks that an acknowledged batch is visible on another node at once, exactly once. */
  async #verifyVisible(batch: Batch, place: number): Promise<void> {
    const conditions = batch.fields.map((name) => ` and isnotnull(['${name}'])`).join('');
    const apl = `['${batch.dataset}'] | where batch == '${batch.id}'${conditions} | summarize count(), sum(n)`;
    const { status, columns } = await query(this.#nodes[place]!, apl);
    if (columns === undefined) {
      if (!later.has(status)) this.tally.violation('unexpected', `a query: ${status}`);
      return this.tally.count('queries that were not answered');
    }
    this.tally.count('queries checked');
    const found = [columns[0]?.[0] ?? 0, columns[1]?.[0] ?? 0];
    if (found[0] !== batch.count || found[1] !== sumOf(batch))
      this.tally.violation(
        Number(found[0]) > batch.count ? 'duplicated' : 'lost',
        `${batch.id} (${batch.count} events) is ${found.join(', ')} at another node right after it was acknowledged`,
      );
  }

  async #sendUntilTaken(batch: Batch, place: () => number): Promise<void> {
    for (const late = performance.now() + sentAgainFor; ; await sleep(500)) {
      await this.#send(batch, [place()]);
      if (batch.fate === 'acknowledged' || performance.now() > late) return;
    }
  }

  /** Retries as clients with a key do that got no response. */
  async #sendAgain(random: Random): Promise<void> {
    for (const batch of this.#batches.slice(this.#verifiedCount)) {
      if (batch.key === undefined || batch.fate !== 'unknown') continue;
      await this.#sendUntilTaken(batch, () => random.between(0, 2));
      this.tally.count('batches sent again');
      if (batch.fate === 'unknown') this.tally.violation('unexpected', `${batch.id} is never taken`);
    }
  }

  /** Every node has each acknowledged batch once, and each other one once or not at all. */
  async #verifyAll(batches: readonly Batch[]): Promise<void> {
    for (const [n, node] of this.#nodes.entries())
      for (const dataset of datasets) {
        const mine = batches.filter((batch) => batch.dataset === dataset);
        if (mine.length === 0) continue;
        const ids = mine.length < 500 ? `| where batch in (${mine.map(({ id }) => `'${id}'`).join(', ')}) ` : '';
        const apl = `['${dataset}'] ${ids}| summarize count(), sum(n) by batch | limit 50000`;
        const { status, columns } = await query(node, apl);
        if (columns === undefined) return this.tally.violation('unexpected', `node ${n}, ${dataset}: ${status}`);
        const [names = [], counts = [], sums = []] = columns;
        const found = new Map(names.map((name, i) => [name, [Number(counts[i]), Number(sums[i])] as const]));
        for (const batch of mine) {
          const [events, sum] = found.get(batch.id) ?? [0, 0];
          this.tally.count('batches compared');
          if (events === batch.count && sum === sumOf(batch)) continue;
          if (events === 0 && batch.fate !== 'acknowledged') continue;
          const kind = events > batch.count ? 'duplicated' : events === 0 ? 'lost' : 'torn';
          this.tally.violation(
            kind,
            `node ${n}: ${batch.id} of ${batch.count} events, ${batch.fate}: ${events}, sum ${sum}`,
          );
        }
      }
  }

  /** All nodes receive new fields at the same moment. */
  async #fieldsAtOnce(cycle: number): Promise<void> {
    const sent = Array.from({ length: 21 }, (_, i): Batch => {
      const id = `fields ${cycle} ${i}`;
      return { id, dataset: 'orders', count: 1, fields: [`at once ${id}`], fate: 'sent' };
    });
    this.#batches.push(...sent);
    await Promise.all(sent.map((batch, i) => this.#send(batch, [i % 3])));
    for (const [i, batch] of sent.entries())
      if (batch.fate === 'acknowledged' && i % 4 === 0) await this.#verifyVisible(batch, (i + 1) % 3);
  }

  /** A token that one node removes no other takes any more. */
  async #revoke(random: Random): Promise<void> {
    const body = JSON.stringify({ name: 't', datasetCapabilities: { orders: { query: ['read'] } } });
    const made = (await ask(random.pick(this.#nodes), '/v2/tokens', { body })).body as {
      readonly id: string;
      readonly token: string;
    };
    const queryStatuses = (): Promise<readonly number[]> =>
      Promise.all(
        this.#nodes.map(async ({ url }) => {
          const request = { body: JSON.stringify({ apl: 'orders | count' }) };
          return (await ask({ url, token: made.token }, '/v1/datasets/_apl?format=tabular', request)).status;
        }),
      );
    const before = await queryStatuses();
    await ask(random.pick(this.#nodes), `/v2/tokens/${made.id}`, { method: 'DELETE' });
    const after = await queryStatuses();
    if (before.join() !== '200,200,200' || after.join() !== '403,403,403')
      this.tally.violation(
        'unexpected',
        `a token is taken ${before.join()} before it was removed, and ${after.join()} after`,
      );
    this.tally.count('tokens revoked');
  }
}
