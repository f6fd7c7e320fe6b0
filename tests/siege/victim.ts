import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

export type ToVictim =
  | { readonly is: 'server'; readonly url: string }
  | { readonly is: 'report' }
  | { readonly is: 'stop' };

export type FromVictim =
  | {
      readonly is: 'report';
      /** Durations of the requests since the last report: ingests and queries. */
      readonly events: readonly number[];
      readonly questions: readonly number[];
      /** Error → number of occurrences. */
      readonly troubles: ReadonlyMap<string, number>;
    }
  /** `acknowledged`: the `n` of every event that was. */
  | { readonly is: 'stopped'; readonly acknowledged: readonly number[] };

export type Report = Extract<FromVictim, { is: 'report' }>;

/** Compiled, also where the tests run from the sources. */
const program = join(
  import.meta.dirname.replace(/siege$/, '').replace(/dist\/$/, ''),
  'dist',
  'siege',
  'victim-thread.js',
);

/** A client with a light load during the attacks. */
export class Victim {
  readonly #thread: Worker;

  constructor(url: string, token: string) {
    this.#thread = new Worker(program, { workerData: { url, token } });
  }

  /** Call when the address of the server has changed. */
  updateAddress(url: string): void {
    this.#tell({ is: 'server', url });
  }

  /** Measurements since the last report. */
  async report(): Promise<Report> {
    const answer = await this.#ask({ is: 'report' });
    if (answer.is !== 'report') throw new Error('the victim has stopped');
    return answer;
  }

  /** Waits for requests in flight; returns every event that was acknowledged. */
  async stop(): Promise<readonly number[]> {
    const answer = await this.#ask({ is: 'stop' });
    return answer.is === 'stopped' ? answer.acknowledged : [];
  }

  async kill(): Promise<void> {
    await this.#thread.terminate();
  }

  async #ask(message: ToVictim): Promise<FromVictim> {
    const answer = once(this.#thread, 'message') as Promise<[FromVictim]>;
    this.#tell(message);
    return (await answer)[0];
  }

  #tell(message: ToVictim): void {
    this.#thread.postMessage(message, []);
  }
}
