import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Session } from 'chdb';
import { parseJson as exactJson } from '@millrace/http/body/json-body';
import { printQuery } from '@millrace/sql';
import type { Query } from '@millrace/sql';
import { afterAll, beforeAll } from 'vitest';
import { sampleGeoNetworks } from './reference-data.js';

/**
 * Only for tests: the real engine in this process, with one session per test file in its own
 * directory.
 */
export class TestEngine {
  #session: Session | undefined;
  #directory = '';

  open(): void {
    this.#directory = mkdtempSync(join(tmpdir(), 'millrace-apl-'));
    this.#session = new Session(this.#directory);
    // The engine compiles an aggregate the fourth time it meets it, and the result may then differ
    // from before: here it compiles at once.
    this.#session.query('SET min_count_to_compile_aggregate_expression = 0');
    // As in the server, which has a reason for each (`baseSettings` of the engine).
    this.#session.query(
      'SET join_use_nulls = 1, output_format_json_escape_forward_slashes = 0, output_format_json_quote_64bit_integers = 0, ' +
        'use_query_condition_cache = 0, query_plan_optimize_join_order_limit = 1, max_query_size = 33554432, max_ast_elements = 1000000, max_expanded_ast_elements = 10000000',
    );
    for (const statement of sampleGeoNetworks) this.#session.query(statement);
  }

  close(): void {
    this.#session?.cleanup();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** Rows of a query as arrays of JSON values (see `parseJson`). */
  rows(query: Query): readonly (readonly unknown[])[] {
    const text = this.text(`${printQuery(query)} FORMAT JSONCompactEachRow`);
    return text.split('\n').flatMap((line) => (line === '' ? [] : [parseJson(line) as readonly unknown[]]));
  }

  /** The output of a statement; throws the engine's error. */
  text(sql: string): string {
    if (this.#session === undefined) throw new Error('the engine is not open');
    return this.#session.query(sql);
  }
}

/** An engine that is open while the tests of the calling file run. */
export function testEngine(): TestEngine {
  const engine = new TestEngine();
  beforeAll(() => engine.open());
  afterAll(() => engine.close());
  return engine;
}

/** Parses JSON. Integers of up to 64 bits that a number cannot hold exactly become bigints. */
export const parseJson = (text: string): unknown => exactJson(text, { maxDepth: Number.POSITIVE_INFINITY }, true);
