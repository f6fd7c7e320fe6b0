import type { Log, LogStats } from '@millrace/log';
import type { FieldStore } from './fields/field-store.js';

/** Among the checkpoints of datasets, that of the log; no dataset has the number. */
export const numberOfLog = 0;

/**
 * Before the log gives positions up, the metadata keep up to which. So a start notices files of the
 * log that are gone and were not given up, and metadata that are older than the log.
 */
export class GivenUp {
  readonly #log: Log;
  readonly #store: Pick<FieldStore, 'checkpoint'>;
  #noted = -1n;

  constructor(log: Log, store: Pick<FieldStore, 'checkpoint'>) {
    this.#log = log;
    this.#store = store;
  }

  /**
   * Notes what the log has given up so far, as soon as there is a file that could go. That may be
   * more than was meant to go: positions of an append that failed are in no file.
   */
  async catchUp(): Promise<void> {
    const { segments, firstPosition } = this.#log.stats();
    if (segments > 0 && firstPosition - 1n > this.#noted) await this.#note(firstPosition - 1n);
  }

  /**
   * Call it before the log gives up positions.
   * @param newest whether the newest file goes too
   */
  async note(upTo: bigint, { newest = false } = {}): Promise<void> {
    if (upTo > this.#noted && (newest || this.#log.stats().segments > 1)) await this.#note(upTo);
  }

  async #note(upTo: bigint): Promise<void> {
    await this.#store.checkpoint(numberOfLog, upTo);
    this.#noted = upTo;
  }
}

/**
 * What is wrong with a log that has just been opened.
 * @param givenUp as the metadata have it; undefined if they do not know
 */
export function gapIn(
  { segments, firstPosition, lastPosition }: Pick<LogStats, 'segments' | 'firstPosition' | 'lastPosition'>,
  givenUp: bigint | undefined,
): string | undefined {
  if (givenUp === undefined) return undefined;
  if (segments === 0)
    return 'the files of the log are gone: events that were acknowledged and not stored yet are lost, unless the files are put back';
  if (lastPosition < givenUp)
    return 'the newest files of the log are gone: events that were acknowledged and not stored yet are lost, unless the files are put back';
  if (firstPosition > givenUp + 1n)
    return 'metadata.sqlite is older than the log, or the oldest files of the log are gone: fields that came meanwhile are not known, and events may be missing, unless the right files are put back';
  return undefined;
}
