import { type Core, type Lease, withCore } from '../core.js';
import { lineEnds } from '../line-ends.js';
import type { CsvDelimiter } from './delimiter.js';

/** Results of parsing a row, as the core numbers them. */
const NO_ROW = 0;
const NEVER_CLOSED = 2;
const GOES_ON = 3;
const SURPLUS = 4;

/**
 * The rows of a body, found by the core: stored as events, or visited one at a time to read their
 * cells. Reports why a row failed, and on which line. `../../assembly/csv.ts` defines the accepted
 * CSV.
 */
export class CsvRows {
  readonly #lease: Lease;
  readonly #core: Core;
  readonly #body: Uint8Array;
  /** The body's address in the core's memory. */
  readonly #start: number;
  #state = NO_ROW;
  /** How many cells the current row may have. */
  #max = 0;
  /** A position and its line. Lines are only counted on demand, for failures. */
  #lineCursor = { at: 0, line: 1 };

  /** The body has been placed at `start`, and the core's source ends where it ends. */
  constructor(lease: Lease, body: Uint8Array, start: number, { bytes }: CsvDelimiter) {
    const { core } = lease;
    this.#lease = lease;
    this.#core = core;
    this.#body = body;
    this.#start = start;
    core.beginCsv(start, lease.place(bytes), bytes.length);
  }

  /**
   * Moves to the next row, good or failed, which may have at most `max` cells; false at the end of
   * the body.
   */
  next(max: number): boolean {
    this.#max = max;
    this.#state = this.#core.readRow(max);
    return this.#state !== NO_ROW;
  }

  /** Stores rows as events of this many columns until one fails; false at the end of the body. */
  storeUpToFailed(columns: number): boolean {
    this.#max = columns;
    this.#state = this.#core.readRows();
    return this.#state !== NO_ROW;
  }

  /** Where the current row starts in the body. */
  get offset(): number {
    return this.#core.rowAt() - this.#start;
  }

  /** The values of the current row's cells. */
  get cells(): readonly Uint8Array[] {
    const count = Math.min(this.#core.cellsFound(), this.#max);
    return Array.from({ length: count }, (_, index) => {
      const at = this.#core.cellAt(index);
      return Uint8Array.from(this.#lease.memory.subarray(at, at + this.#core.textLength()));
    });
  }

  /** Why the current row is invalid: line, expected and actual content. */
  get error(): string | undefined {
    switch (this.#state) {
      case NEVER_CLOSED:
        return this.#quotedError('is never closed');
      case GOES_ON:
        return this.#quotedError('goes on after its closing quote');
      case SURPLUS: {
        const found = this.#core.cellsFound();
        return `line ${this.lineOf(this.offset)}: expected at most ${cellCount(this.#max)}, found ${found}`;
      }
      default:
        return undefined;
    }
  }

  #quotedError(what: string): string {
    const line = this.lineOf(this.#core.openingQuote() - this.#start);
    return (
      `line ${line}: the quoted value in cell ${this.#core.cellsFound() + 1} ${what}; expected a closing " ` +
      'followed by the delimiter or the end of the line, and "" for a quote inside the value'
    );
  }

  /** The line of a position, counted from 1. Positions must ascend from call to call. */
  lineOf(position: number): number {
    const { at, line } = this.#lineCursor;
    this.#lineCursor = { at: Math.max(at, position), line: line + lineEnds(this.#body, at, position) };
    return this.#lineCursor.line;
  }
}

function cellCount(cells: number): string {
  return cells === 1 ? '1 cell' : `${cells} cells`;
}

/** Runs `use` with the core for rows that are not events. */
export function withRows<Result>(text: Uint8Array, delimiter: CsvDelimiter, use: (rows: CsvRows) => Result): Result {
  return withCore((lease) => {
    lease.core.begin(0, 0, 0n, 0);
    const start = lease.place(text);
    lease.core.setEnd(start + text.length);
    return use(new CsvRows(lease, text, start, delimiter));
  });
}
