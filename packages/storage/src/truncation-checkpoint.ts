import type { Log, LogStats } from '@millrace/log';
import type { FieldStore } from './fields/field-store.js';

/** The log's own ID among the checkpoints of datasets; no dataset has it. */
export const numberOfLog = 0;

/**
 * Before the log is truncated, its new start is recorded in the metadata. So a start detects log
 * files that are missing without truncation, and metadata that are older than the log.
 */
export class TruncationCheckpoint {
  readonly #log: Log;
  readonly #store: Pick<FieldStore, 'checkpoint'>;
  #notedPosition = -1n;
  #catchUpPromise: Promise<void> | undefined;

  constructor(log: Log, store: Pick<FieldStore, 'checkpoint'>) {
    this.#log = log;
    this.#store = store;
  }

  /**
   * Records how far the log has been truncated, as soon as there is a file that could be deleted.
   * That may be further than requested: positions of a failed append are in no file.
   */
  async catchUp(): Promise<void> {
    const { segments, firstPosition } = this.#log.stats();
    if (segments > 0 && firstPosition - 1n > this.#notedPosition) await this.#note(firstPosition - 1n);
  }

  /**
   * Call it before the first acknowledgment: from then on a start detects that all files are gone,
   * however soon that happens.
   */
  async begin(): Promise<void> {
    if (this.#notedPosition >= 0n) return;
    this.#catchUpPromise ??= this.catchUp().finally(() => (this.#catchUpPromise = undefined));
    await this.#catchUpPromise;
  }

  /**
   * Call it before the log is truncated.
   * @param newest whether the newest file is deleted too
   */
  async note(upTo: bigint, { newest = false } = {}): Promise<void> {
    if (upTo > this.#notedPosition && (newest || this.#log.stats().segments > 1)) await this.#note(upTo);
  }

  async #note(upTo: bigint): Promise<void> {
    await this.#store.checkpoint(numberOfLog, upTo);
    this.#notedPosition = upTo;
  }
}

/** The missing part of a log. */
export interface LogGap {
  /** For the operator. */
  readonly reason: string;
  /** Whether files of acknowledged events are gone, as opposed to old metadata. */
  readonly isLost: boolean;
}

/**
 * Returns the damage of a log that has just been opened, if any.
 * @param givenUp the truncation checkpoint in the metadata; undefined if they have none
 */
export function detectLogGap(
  { segments, firstPosition, lastPosition }: Pick<LogStats, 'segments' | 'firstPosition' | 'lastPosition'>,
  givenUp: bigint | undefined,
): LogGap | undefined {
  if (givenUp === undefined) return undefined;
  if (segments === 0)
    return {
      reason:
        'the files of the log are gone: events that were acknowledged and not stored yet are lost, unless the files are put back',
      isLost: true,
    };
  if (lastPosition < givenUp)
    return {
      reason:
        'the newest files of the log are gone: events that were acknowledged and not stored yet are lost, unless the files are put back',
      isLost: true,
    };
  if (firstPosition > givenUp + 1n)
    return {
      reason:
        'metadata.sqlite is older than the log, or the oldest log files are missing: later fields are unknown and events may be missing unless the right files are restored',
      isLost: false,
    };
  return undefined;
}
