import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { Tally } from '../tally.ts';
import { type Batch, sumOf } from './model.ts';
import type { Scene } from './scene.ts';

/** Received part of a batch. */
interface Come {
  events: number;
  sum: number;
}

interface Line {
  readonly event?: { readonly batch: string; readonly n: number };
  readonly position?: string;
  readonly cursor?: string;
  readonly settled?: string;
  readonly error?: { readonly code: string };
}

const patienceMilliseconds = 90_000;

/**
 * A reader that follows a dataset over one node after another, each time from where it was: also
 * when it leaves a node in the middle of a batch.
 */
export class Tail {
  readonly #scene: Scene;
  readonly #dataset: string;
  readonly #random: Random;
  readonly #tally: Tally;
  readonly #come = new Map<string, Come>();
  readonly #endController = new AbortController();
  readonly #over: Promise<void>;
  #after = '0';
  /** Position and row of the last event. */
  #last: readonly [bigint, number] = [0n, 0];

  constructor(scene: Scene, dataset: string, random: Random, tally: Tally) {
    this.#scene = scene;
    this.#dataset = dataset;
    this.#random = random;
    this.#tally = tally;
    this.#over = this.#follow();
  }

  /** Every acknowledged batch arrives exactly once, every other batch at most once. */
  async verify(batches: readonly Batch[]): Promise<void> {
    const mine = batches.filter(({ dataset }) => dataset === this.#dataset);
    const isThere = ({ id, count, fate }: Batch): boolean =>
      fate !== 'acknowledged' || (this.#come.get(id)?.events ?? 0) >= count;
    const late = performance.now() + patienceMilliseconds;
    while (!mine.every(isThere) && performance.now() < late) await sleep(100);
    for (const batch of mine) {
      const { events, sum } = this.#come.get(batch.id) ?? { events: 0, sum: 0 };
      this.#tally.count('batches that came to a tail');
      if (events === batch.count && sum === sumOf(batch)) continue;
      if (events === 0 && batch.fate !== 'acknowledged') continue;
      this.#tally.violation(
        events > batch.count ? 'duplicated' : 'lost',
        `a tail of ${this.#dataset}: ${batch.id} of ${batch.count} events, ${batch.fate}: ${events}, sum ${sum}; it is behind ${this.#after}`,
      );
    }
  }

  async end(): Promise<void> {
    this.#endController.abort();
    await this.#over;
  }

  async #follow(): Promise<void> {
    while (!this.#endController.signal.aborted) {
      const leaves = AbortSignal.timeout(this.#random.between(500, 8000));
      await this.#read(AbortSignal.any([this.#endController.signal, leaves])).catch(() => undefined);
      this.#tally.count('turns of tails');
      await sleep(50);
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { url, token } = this.#random.pick(this.#scene.nodes);
    const answer = await fetch(`${url}/v1/tail`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ apl: `['${this.#dataset}'] | project batch, n`, after: this.#after }),
      signal,
    });
    if (answer.status !== 200) {
      await answer.arrayBuffer();
      if (![429, 503].includes(answer.status)) this.#tally.violation('unexpected', `a tail: ${answer.status}`);
      return void (await sleep(100));
    }
    let text = '';
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      const lines = (text + chunk).split('\n');
      text = lines.pop()!;
      for (const line of lines) this.#take(JSON.parse(line) as Line);
    }
  }

  #take({ event, position, cursor, settled }: Line): void {
    if (settled !== undefined) this.#after = settled;
    if (event === undefined || cursor === undefined || position === undefined) return;
    this.#after = cursor;
    const place = [BigInt(position), Number.parseInt(cursor.split('-')[2]!, 16)] as const;
    const [seq, row] = this.#last;
    if (place[0] < seq || (place[0] === seq && place[1] <= row))
      this.#tally.violation(
        'duplicated',
        `a tail of ${this.#dataset}: ${place.join('/')} comes after ${this.#last.join('/')}`,
      );
    this.#last = place;
    const come = this.#come.get(event.batch) ?? { events: 0, sum: 0 };
    this.#come.set(event.batch, come);
    come.events++;
    come.sum += event.n;
  }
}
