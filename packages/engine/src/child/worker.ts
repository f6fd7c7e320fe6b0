import { printSet } from '../settings.js';
import type { Output, Session } from './session.js';

type Applied = Readonly<Record<string, string>>;

/**
 * One session of the engine and its current settings. It runs one statement at a time.
 *
 * A session whose statement failed is thrown away: the output made before the failure would come out in front of the next answer, which
 * belongs to somebody else. A new session costs a millisecond.
 */
export class Worker {
  /** Set as the session's `log_comment`, by which this worker's statement is found among the running ones. */
  readonly mark: string;
  readonly #open: () => Session;
  /** Undefined after a failure, until the next statement opens a new session. */
  #session: Session | undefined;
  /** The settings the session was given besides its mark; undefined for a new session. */
  #applied: Applied | undefined;

  /** @param mark unique among the workers */
  constructor(mark: string, open: () => Session) {
    this.mark = mark;
    this.#open = open;
    this.#session = open();
  }

  /**
   * @param settings all settings this statement wants; any others that an earlier statement set go back to their defaults
   * @throws whatever the engine throws, its text in `message`
   */
  async run(sql: string, format: string, settings: Applied): Promise<Output> {
    const session = (this.#session ??= this.#open());
    const set = this.#change(settings);
    try {
      return await session.run(set === '' ? sql : `${set}; ${sql}`, format);
    } catch (error) {
      this.#session = undefined;
      this.#applied = undefined;
      session.close();
      throw error;
    }
  }

  /** Call only while nothing runs: closing a busy session aborts the process. */
  close(): void {
    this.#session?.close();
  }

  /** `SET` is a statement of its own and takes an eighth of the time of a small one. Most statements find their session as they want it and need none. */
  #change(settings: Applied): string {
    const before = this.#applied;
    if (before !== undefined && isSame(before, settings)) return '';
    this.#applied = settings;
    const wanted = before === undefined ? { ...settings, log_comment: this.mark } : settings;
    const changes = Object.fromEntries(Object.entries(wanted).filter(([name, value]) => before?.[name] !== value));
    const resets = Object.keys(before ?? {}).filter((name) => settings[name] === undefined);
    return printSet(changes, resets);
  }
}

function isSame(a: Applied, b: Applied): boolean {
  for (const name in a) if (a[name] !== b[name]) return false;
  for (const name in b) if (a[name] === undefined) return false;
  return true;
}
