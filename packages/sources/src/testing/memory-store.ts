import type { Batch } from '../run/batch.js';
import { RejectedBatch } from '../run/batch.js';
import type { ObjectLedger, ObjectState } from '../run/object-ledger.js';
import { Progress } from '../run/progress.js';
import type { SourceContext } from '../run/source-context.js';

/** A store that keeps a body per key, as the server does. */
export class MemoryStore {
  readonly batches = new Map<string, Batch>();
  readonly objects = new Map<string, ObjectState>();
  readonly progress = new Progress(() => 0, undefined);
  /** Batches until one fails: before it is stored, or after. */
  nextFailure: { in: number; stored: boolean } | undefined;
  /** Bodies that are rejected as a whole. */
  rejects: (batch: Batch) => boolean = () => false;

  /** Lines of all batches, those kept aside or the others. */
  lines(rejected = false): readonly string[] {
    return [...this.batches.values()]
      .filter(({ isRejected = false }) => isRejected === rejected)
      .flatMap(({ body }) => Buffer.from(body).toString().split('\n'))
      .filter((line) => line !== '');
  }

  context(signal: AbortSignal, options: Partial<SourceContext> = {}): SourceContext {
    const ledger: ObjectLedger = {
      known: (names) =>
        Promise.resolve(
          new Map(names.flatMap((name) => (this.objects.has(name) ? [[name, this.objects.get(name)!]] : []))),
        ),
      mark: (name, state) => Promise.resolve(void this.objects.set(name, state)),
      forgetGone: () => Promise.resolve(),
    };
    return {
      id: 's',
      signal,
      batchBytes: 1000,
      batchAge: 5,
      progress: this.progress,
      objects: ledger,
      addresses: undefined,
      logger: { info: () => undefined, warn: () => undefined },
      store: async (batch) => {
        signal.throwIfAborted();
        const fails = this.nextFailure !== undefined && this.nextFailure.in-- === 0 ? this.nextFailure : undefined;
        if (this.rejects(batch)) throw new RejectedBatch('bad body');
        if (fails?.stored !== false) {
          const before = this.batches.get(batch.key);
          if (before !== undefined && !Buffer.from(before.body).equals(batch.body))
            throw new Error(`another body under key ${batch.key}`);
          this.batches.set(batch.key, batch);
        }
        if (fails !== undefined) throw new Error('killed');
        const ingested = Buffer.from(batch.body).toString().split('\n').length - 1;
        const stored = { ingested, failed: 0, failures: [] };
        this.progress.recordStored({ position: batch.position, bytes: batch.body.byteLength }, stored);
        return stored;
      },
      ...options,
    };
  }
}
