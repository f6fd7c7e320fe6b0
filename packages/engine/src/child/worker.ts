import type { Session } from 'chdb';
import { printSet } from '../settings.js';

/** What a statement gave: raw output and the engine's clock. */
export interface Output {
  readonly bytes: Uint8Array;
  readonly elapsedSeconds: number;
}

/**
 * One session of the engine and what its settings are at the moment. It runs one statement at a time.
 *
 * A session whose statement failed is thrown away: the output that the statement had made by then would stand before the next answer, which
 * belongs to somebody else. A new session costs a millisecond.
 */
export class Worker {
  /** Whoever looks at the statements that run finds the one of this worker by its `log_comment`. */
  readonly mark: string;
  readonly #open: () => Session;
  #session: Session;
  #applied: Readonly<Record<string, string>> = {};

  /** @param mark no other worker has it */
  constructor(mark: string, open: () => Session) {
    this.mark = mark;
    this.#open = open;
    this.#session = open();
  }

  /**
   * @param settings all settings this statement wants; what an earlier one had set besides goes back to its default
   * @throws whatever the engine says, its text in `message`
   */
  async run(sql: string, format: string, settings: Readonly<Record<string, string>>): Promise<Output> {
    const set = this.#change({ ...settings, log_comment: this.mark });
    try {
      const result = await this.#session.queryAsync(set === '' ? sql : `${set}; ${sql}`, { format });
      return { bytes: result.bytes(), elapsedSeconds: result.elapsed };
    } catch (error) {
      this.#renew();
      throw error;
    }
  }

  /** Only while it runs nothing: closing a session at work aborts the process. */
  close(): void {
    this.#session.close();
  }

  /** `SET` is a statement of its own, an eighth of the time of a small one: most statements find their session as they want it. */
  #change(settings: Readonly<Record<string, string>>): string {
    const changes = Object.fromEntries(
      Object.entries(settings).filter(([name, value]) => this.#applied[name] !== value),
    );
    const resets = Object.keys(this.#applied).filter((name) => settings[name] === undefined);
    this.#applied = settings;
    return printSet(changes, resets);
  }

  #renew(): void {
    this.#session.close();
    this.#applied = {};
    this.#session = this.#open();
  }
}
