import { printSet } from '../settings.js';
import type { Output, Session } from './session.js';

type SettingValues = Readonly<Record<string, string>>;

/**
 * One session of the engine and its current settings. It runs one statement at a time.
 *
 * After a failed statement the session is discarded: its remaining output would come before the
 * result of the next statement, which may be another user's. A new session costs a millisecond.
 */
export class Worker {
  /**
   * Set as the session's `log_comment`, by which this worker's statement is found among the running
   * ones.
   */
  readonly mark: string;
  readonly #open: () => Session;
  readonly #standingSettings: SettingValues;
  /** Undefined after a failure, until the next statement opens a new session. */
  #session: Session | undefined;
  /** Settings of the previous statement, without the standing ones; undefined for a new session. */
  #appliedSettings: SettingValues | undefined;

  /**
   * @param mark unique among the workers
   * @param standing settings for all statements, unless a statement overrides them
   */
  constructor(mark: string, open: () => Session, standing: SettingValues = {}) {
    this.mark = mark;
    this.#open = open;
    this.#standingSettings = standing;
    this.#session = open();
  }

  /**
   * @param settings of this statement, in addition to the standing ones; settings of earlier
   * statements are reset to the standing ones or the defaults
   * @throws the engine's errors unchanged, its text in `message`
   */
  async run(sql: string, format: string, settings: SettingValues): Promise<Output> {
    const session = (this.#session ??= this.#open());
    const set = this.#change(settings);
    try {
      return await session.run(set === '' ? sql : `${set}; ${sql}`, format);
    } catch (error) {
      this.#session = undefined;
      this.#appliedSettings = undefined;
      session.close();
      throw error;
    }
  }

  /** Call only while it is idle: closing a busy session aborts the process. */
  close(): void {
    this.#session?.close();
  }

  /**
   * `SET` is a separate statement and takes an eighth of the time of a small one. Most statements
   * need none, because the session's settings already match.
   */
  #change(settings: SettingValues): string {
    const before = this.#appliedSettings;
    if (before !== undefined && isSame(before, settings)) return '';
    this.#appliedSettings = settings;
    const wanted: SettingValues = { ...this.#standingSettings, ...settings };
    if (before === undefined) return printSet({ ...wanted, log_comment: this.mark }, []);
    const present: SettingValues = { ...this.#standingSettings, ...before };
    const changes = Object.fromEntries(Object.entries(wanted).filter(([name, value]) => present[name] !== value));
    const resets = Object.keys(present).filter((name) => wanted[name] === undefined);
    return printSet(changes, resets);
  }
}

function isSame(a: SettingValues, b: SettingValues): boolean {
  for (const name in a) if (a[name] !== b[name]) return false;
  for (const name in b) if (a[name] === undefined) return false;
  return true;
}
