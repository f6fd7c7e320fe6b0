import { httpError } from '@millrace/api/errors';
import type { OrgLimits } from '@millrace/api/schemas/org';
import type { Engine } from '@millrace/engine';
import type { Clock } from '@millrace/metadata/clock';
import { storedBytes } from '@millrace/storage/tables/table-size';

const dayMilliseconds = 24 * 3600_000;

/**
 * What an organization has used of its limits. Bytes of events count from the start of the server
 * or of the day, so a restart gives back what was used that day.
 */
export class OrgUsage {
  readonly #limits: () => OrgLimits;
  readonly #clock: Clock;
  #day = 0;
  #ingestedBytes = 0;
  #storedBytes = 0;

  constructor(limits: () => OrgLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Bytes of events since midnight UTC. */
  get ingestedToday(): number {
    return this.#today() === this.#day ? this.#ingestedBytes : 0;
  }

  /** Bytes on disk, as of the last measurement. */
  get stored(): number {
    return this.#storedBytes;
  }

  /** Counts bytes of events, after decompression. */
  add(bytes: number): void {
    const today = this.#today();
    if (today !== this.#day) this.#ingestedBytes = 0;
    this.#day = today;
    this.#ingestedBytes += bytes;
  }

  async measure(engine: Engine): Promise<void> {
    this.#storedBytes = await storedBytes(engine);
  }

  /** @throws HttpError `org-quota-reached` */
  requireIngest(): void {
    const { ingestBytesPerDay = Infinity, storageBytes = Infinity } = this.#limits();
    if (this.ingestedToday >= ingestBytesPerDay) {
      const seconds = Math.ceil(((this.#today() + 1) * dayMilliseconds - this.#clock()) / 1000);
      throw rejectionError(
        `the organization has sent its ${ingestBytesPerDay} bytes of events for today (UTC)`,
        seconds,
      );
    }
    if (this.#storedBytes >= storageBytes)
      throw rejectionError(`the events of the organization take its ${storageBytes} bytes of storage`, measureSeconds);
  }

  #today(): number {
    return Math.floor(this.#clock() / dayMilliseconds);
  }
}

/** Between two measurements of storage: each reads the list of the engine's parts. */
export const measureSeconds = 60;

const rejectionError = (problem: string, seconds: number): Error =>
  httpError('org-quota-reached', { problem }, { headers: { 'retry-after': String(seconds) } });
