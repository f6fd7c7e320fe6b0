import type { Session } from 'chdb';
import { printSet } from '../settings.js';

/** What a statement gave: raw output and the engine's clock. */
export interface Output {
  readonly bytes: Uint8Array;
  readonly elapsedSeconds: number;
}

type Applied = Readonly<Record<string, string>>;

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
  /** What the session was told besides its mark; undefined of a new one. */
  #applied: Applied | undefined;

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
  async run(sql: string, format: string, settings: Applied): Promise<Output> {
    const set = this.#change(settings);
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
  #change(settings: Applied): string {
    const before = this.#applied;
    if (before !== undefined && isSame(before, settings)) return '';
    this.#applied = settings;
    const wanted = before === undefined ? { ...settings, log_comment: this.mark } : settings;
    const changes = Object.fromEntries(Object.entries(wanted).filter(([name, value]) => before?.[name] !== value));
    const resets = Object.keys(before ?? {}).filter((name) => settings[name] === undefined);
    return printSet(changes, resets);
  }

  #renew(): void {
    this.#session.close();
    this.#applied = undefined;
    this.#session = this.#open();
  }
}

function isSame(a: Applied, b: Applied): boolean {
  for (const name in a) if (a[name] !== b[name]) return false;
  for (const name in b) if (a[name] === undefined) return false;
  return true;
}
