import { setTimeout as sleep } from 'node:timers/promises';
import { isLater, type Life } from '../life.js';
import type { Fate } from '../model.js';
import { Random } from '../random.js';
import type { Answer } from '../server.js';
import { countOf, metric, metricsDataset, protocolOf, requestOf, seriesOf } from './points.js';

/**
 * Exporters that send points over OTLP and remote write, and the check that each acknowledged point
 * is stored once with its value.
 */

interface PointBatch {
  readonly id: number;
  readonly count: number;
  fate: Fate;
  /** Whether all its points have been compared since it was last sent. */
  compared: boolean;
}

/** Queries of points ask for so many batches. */
const batchesPerQuery = 100;

export class Exporters {
  readonly #seed: number;
  readonly #batches = new Map<number, PointBatch>();
  #nextBatch = 1;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Sends one batch after another until the server is down. */
  async export(life: Life): Promise<void> {
    const random = new Random(life.seed, 'exporter', life.cycle);
    while (!life.over) {
      const id = this.#nextBatch++;
      const batch: PointBatch = { id, count: countOf(seriesOf(this.#seed, id)), fate: 'sent', compared: false };
      this.#batches.set(id, batch);
      await this.#send(life, batch);
      if (random.chance(0.2) && batch.fate === 'acknowledged' && !life.over) await this.#send(life, batch);
      await sleep(batch.fate === 'acknowledged' ? random.between(0, 40) : 30);
    }
  }

  /** Queries while others send: what was acknowledged before the query is in the result. */
  async query(life: Life): Promise<void> {
    const random = new Random(life.seed, 'metrics reader', life.cycle);
    while (!life.over) {
      await sleep(random.between(20, 120));
      const certain = this.#certain().slice(-batchesPerQuery);
      if (certain.length === 0 || life.over) continue;
      const found = await this.#counts(life, certain).catch((error: unknown) => error);
      if (!(found instanceof Map)) {
        if (!life.struck) life.tally.violation('unexpected', `a query of metrics was not answered: ${String(found)}`);
        continue;
      }
      life.tally.count('queries of metrics checked');
      // Once the engine was killed, a response may lack what waits in the log.
      if (!life.struck) this.#compareCounts(life, certain, found);
    }
  }

  /**
   * Checks everything while no client is running, then sends unanswered batches again, as exporters
   * do.
   */
  async check(life: Life, which: 'new' | 'all'): Promise<void> {
    await this.#create(life);
    const asked = [...this.#batches.values()].filter(({ compared }) => which === 'all' || !compared);
    for (let at = 0; at < asked.length; at += batchesPerQuery)
      await this.#compare(life, asked.slice(at, at + batchesPerQuery));
    for (const batch of this.#batches.values()) {
      if (batch.fate !== 'absent') continue;
      // Half of the exporters give up.
      if (new Random(this.#seed, 'gives up', batch.id).chance(0.5)) continue;
      batch.fate = 'unknown';
      batch.compared = false;
      await this.#send(life, batch);
      life.tally.count('batches of points sent again after a strike');
    }
  }

  async #create({ server, tally }: Life): Promise<void> {
    const body = JSON.stringify({ name: metricsDataset, kind: 'otel:metrics:v1' });
    const { status, text } = await server.request('/v2/datasets', { body });
    if (status !== 200 && status !== 409) tally.violation('unexpected', `no dataset of metrics: ${status} ${text}`);
  }

  async #send(life: Life, batch: PointBatch): Promise<void> {
    const again = batch.fate === 'acknowledged';
    const protocol = protocolOf(this.#seed, batch.id);
    const { path, body, headers, status: success } = requestOf(seriesOf(this.#seed, batch.id), protocol);
    const answer = await life.server.request(path, { body, headers }).catch((error: unknown) => error);
    if (answer instanceof Error) {
      if (!life.struck) life.tally.violation('unexpected', `points ${batch.id}: no answer: ${String(answer.cause)}`);
      if (!again) batch.fate = 'unknown';
      return;
    }
    const { status, text } = answer as Answer;
    if (status !== success || text.includes('rejected')) {
      if (isLater(life, status)) life.tally.count(`points answered ${status}`);
      else life.tally.violation('unexpected', `points ${batch.id} over ${protocol}: ${status} ${text.slice(0, 300)}`);
      if (!again) batch.fate = 'unknown';
      return;
    }
    batch.compared = false;
    if (again) return life.tally.count('batches of points sent twice');
    batch.fate = 'acknowledged';
    life.tally.count(`points acknowledged over ${protocol}`, batch.count);
  }

  #certain(): readonly PointBatch[] {
    return [...this.#batches.values()].filter(({ fate }) => fate === 'acknowledged' || fate === 'there');
  }

  /** The number of points of each batch. */
  async #counts({ server }: Life, batches: readonly PointBatch[]): Promise<ReadonlyMap<number, number>> {
    const ids = batches.map(({ id }) => `"${id}"`).join(', ');
    const mpl = `${metricsDataset}:${metric} | where batch in [${ids}] | align using count | group by batch using sum`;
    const body = JSON.stringify({ mpl, startTime: 'now-10d', endTime: 'now' });
    const { status, text, body: found } = await server.request('/v1/query/_mpl', { body });
    if (status !== 200) throw new Error(`${status} ${text.slice(0, 300)}`);
    const { series } = found as {
      readonly series: readonly { readonly tags: { readonly batch: string }; readonly data: readonly number[] }[];
    };
    return new Map(series.map(({ tags, data }) => [Number(tags.batch), data[0] ?? 0]));
  }

  #compareCounts({ tally }: Life, batches: readonly PointBatch[], found: ReadonlyMap<number, number>): void {
    for (const { id, count } of batches) {
      const seen = found.get(id) ?? 0;
      if (seen !== count)
        tally.violation(seen < count ? 'lost' : 'duplicated', `a query sees ${seen} of ${count} points of batch ${id}`);
    }
  }

  /** Reads the points of batches back, with their times and values. */
  async #compare(life: Life, batches: readonly PointBatch[]): Promise<void> {
    const { server, tally } = life;
    const query = `${metric}{batch=~"${batches.map(({ id }) => id).join('|')}"}[10d]`;
    const form = new URLSearchParams({ query });
    const { status, text, body } = await server.request(`/prometheus/${metricsDataset}/api/v1/query?${form}`);
    if (status !== 200) return tally.violation('unexpected', `points were not given back: ${status} ${text}`);
    const { result } = (body as { readonly data: { readonly result: readonly StoredSeries[] } }).data;
    const stored = new Map(
      result.map(({ metric: { batch, n }, values }) => [
        `${batch}.${n}`,
        JSON.stringify(values.map(([time, value]) => [Math.round(time * 1000), Number(value)])),
      ]),
    );
    for (const batch of batches) {
      const sent = seriesOf(this.#seed, batch.id);
      const texts = sent.map(({ n, points }) => [stored.get(`${batch.id}.${n}`), JSON.stringify(points)] as const);
      const isThere = texts.every(([found, wanted]) => found === wanted);
      const isAbsent = texts.every(([found]) => found === undefined);
      const isUnknown = batch.fate === 'sent' || batch.fate === 'unknown';
      if (isUnknown && (isThere || isAbsent)) {
        batch.fate = isThere ? 'there' : 'absent';
        tally.count(`batches of points unanswered, ${batch.fate}`);
      } else if (batch.fate === 'absent' ? !isAbsent : !isThere)
        tally.violation(
          batch.fate === 'absent' ? 'revived' : isUnknown ? 'torn' : isAbsent ? 'lost' : 'changed',
          `points of batch ${batch.id} (${batch.fate}): ${texts.map(([found]) => found ?? 'none').join('; ')}`,
        );
      if (isThere) tally.count('points compared', batch.count);
      batch.compared = true;
    }
  }
}

interface StoredSeries {
  readonly metric: { readonly batch: string; readonly n: string };
  readonly values: readonly (readonly [number, string])[];
}
