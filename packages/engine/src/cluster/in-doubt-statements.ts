import { EngineError } from '../errors.js';
import type { Replica } from './replica.js';

interface Statement {
  readonly replica: Replica;
  readonly queryId: string;
}

/**
 * Statements in doubt: they got no response, so they may have been executed, may be running, or may
 * still begin.
 */
export class InDoubtStatements {
  readonly #statements = new Map<string, Statement[]>();

  /** @param about names what must wait until the statement is over */
  add(about: string, replica: Replica, queryId: string): void {
    const statements = this.#statements.get(about) ?? [];
    statements.push({ replica, queryId });
    this.#statements.set(about, statements);
  }

  /** The outcome is now known from elsewhere, so the statements no longer matter. */
  forget(about: string): void {
    this.#statements.delete(about);
  }

  /**
   * Makes sure that none of them runs or can begin.
   * @throws EngineError when one is on an unreachable replica
   */
  async end(about: string): Promise<void> {
    const statements = this.#statements.get(about) ?? [];
    for (const replica of new Set(statements.map((statement) => statement.replica))) {
      if (!replica.isReady)
        throw new EngineError('unavailable', 'a statement may still run on a replica that is away', 'unknown');
      const ids = statements.filter((statement) => statement.replica === replica).map(({ queryId }) => queryId);
      await replica.endStatements(ids);
    }
    this.#statements.delete(about);
  }
}
