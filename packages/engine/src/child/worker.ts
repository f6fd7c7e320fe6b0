import { printSet } from '../settings.js';
import type { Output, Session } from './session.js';

type Applied = Readonly<Record<string, string>>;

/**
 * One session of the engine and its current settings. It runs one statement at a time.
 *
 * A session whose statement failed is thrown away: the output made before the failure would come
 * out in front of the next answer, which belongs to somebody else. A new session costs a
 * millisecond.
 */
export class Worker {
  /**
   * Set as the session's `log_comment`, by which this worker's statement is found among the running
   * ones.
   */
  readonly mark: string;
  readonly #open: () => Session;
  readonly #standing: Applied;
  /** Undefined after a failure, until the next statement opens a new session. */
  #session: Session | undefined;
  /**
   * The settings of the statement before, besides the standing ones; undefined for a new session.
   */
  #applied: Applied | undefined;

  /**
   * @param mark unique among the workers
   * @param standing settings that hold for all statements, unless a statement says otherwise
   */
  constructor(mark: string, open: () => Session, standing: Applied = {}) {
    this.mark = mark;
    this.#open = open;
    this.#standing = standing;
    this.#session = open();
  }

  /**
   * @param settings what this statement wants besides the standing settings; any others that an
   * earlier statement set go back to those, or to their defaults
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

  /**
   * `SET` is a statement of its own and takes an eighth of the time of a small one. Most statements
   * find their session as they want it and need none.
   */
  #change(settings: Applied): string {
    const before = this.#applied;
    if (before !== undefined && isSame(before, settings)) return '';
    this.#applied = settings;
    const wanted: Applied = { ...this.#standing, ...settings };
    if (before === undefined) return printSet({ ...wanted, log_comment: this.mark }, []);
    const present: Applied = { ...this.#standing, ...before };
    const changes = Object.fromEntries(Object.entries(wanted).filter(([name, value]) => present[name] !== value));
    const resets = Object.keys(present).filter((name) => wanted[name] === undefined);
    return printSet(changes, resets);
  }
}

function isSame(a: Applied, b: Applied): boolean {
  for (const name in a) if (a[name] !== b[name]) return false;
  for (const name in b) if (a[name] === undefined) return false;
  return true;
}
