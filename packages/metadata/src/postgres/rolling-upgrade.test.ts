import { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { queryPostgres, sharedPostgres, whyNoPostgres } from '../testing/postgres.js';
import { migratePostgres, type Program, thisProgram } from './migrate.js';
import { openPostgres, type Postgres } from './open-postgres.js';
import { bindSharedDatabase } from './shared-binding.js';

/** A newer program runs its steps while processes of this version are running. */

const { common, own } = thisProgram;
const addingProgram: Program = { ...thisProgram, common: [...common, ['ALTER TABLE org ADD COLUMN later TEXT']] };
const changingProgram: Program = {
  common,
  own: [...own, ['ALTER TABLE arrivals RENAME COLUMN rows TO events']],
  oldest: { common: common.length, own: own.length + 1 },
};

describe.skipIf(whyNoPostgres() !== undefined)('a newer program', () => {
  let url: string;
  let pool: Pool;
  let older: Postgres;
  let opened: Postgres[];
  beforeEach(async () => {
    url = await (await sharedPostgres()).place();
    pool = new Pool({ connectionString: url, max: 1 });
    older = await bindSharedDatabase(url, 0);
    opened = [older];
  });
  afterEach(async () => {
    await Promise.all(opened.map(({ shared }) => shared.close()));
    await pool.end();
  });

  test('an additive change lets older nodes continue and restart', async () => {
    const epoch = await older.nodes.enter({ name: 'a', version: '1' });
    const { check } = older.shared.follow(async () => undefined);
    await migratePostgres(pool, { program: addingProgram });
    await check();
    await older.arrivals(epoch).allocate(1, [1]);
    opened.push(await bindSharedDatabase(url, 0));
    await opened[1]!.arrivals(epoch).allocate(1, [1]);
    // A server with a separate data directory is a single node, which may not run over newer
    // tables.
    await expect(openPostgres(url)).rejects.toThrow('upgrade Millrace');
    expect(await queryPostgres(url, 'SELECT later FROM org')).toEqual([]);
  });

  test('a destructive change waits until older nodes have left, which then write nothing', async () => {
    const epoch = await older.nodes.enter({ name: 'a', version: '1.2' });
    await older.nodes.enter({ name: 'b', version: '1.3' });
    const { check } = older.shared.follow(async () => undefined);
    const oldSteps = 'UPDATE nodes SET steps_own = steps_own - 1';
    await queryPostgres(url, oldSteps);
    await expect(migratePostgres(pool, { program: changingProgram })).rejects.toThrow(
      'older nodes are at work that cannot go on with this version: a (1.2), b (1.3); stop them first',
    );
    // The operation had no effect.
    await check();
    const arrivals = older.arrivals(epoch);
    await arrivals.recordStored(await arrivals.allocate(1, [1]), 1);
    await queryPostgres(url, "UPDATE nodes SET seen = now() - interval '1 minute'");
    await migratePostgres(pool, { program: changingProgram });
    // A process that resumes after a pause.
    await expect(check()).rejects.toMatchObject({ code: 'outdated' });
    await expect(arrivals.allocate(1, [1])).rejects.toMatchObject({ code: 'outdated' });
    await expect(bindSharedDatabase(url, 0)).rejects.toThrow('upgrade Millrace');
  });

  test('that has shards waits until nodes are gone that know nothing of them, and lets none come back', async () => {
    const one = await older.nodes.enter({ name: 'a', version: '1.2' });
    await older.requireShards();
    await older.requireShards();
    await older.arrivals(one).allocate(1, [1]);
    // As registered by a node of an earlier version.
    const known = common.findIndex((steps) => steps.some((step) => step.includes('shard')));
    await queryPostgres(url, `UPDATE works_with SET common = ${known}; UPDATE nodes SET steps_common = ${known}`);
    await expect(older.requireShards()).rejects.toThrow(
      'older nodes are at work that cannot go on with this version: a (1.2)',
    );
    await queryPostgres(url, "UPDATE nodes SET seen = now() - interval '1 minute'");
    await older.requireShards();
    const works = async () => (await queryPostgres(url, 'SELECT common FROM works_with'))[0]?.['common'];
    expect(Number(await works())).toBe(known + 1);
    // A later version with a lower requirement must keep it.
    await migratePostgres(pool, { program: addingProgram });
    expect(Number(await works())).toBe(known + 1);
  });

  test('comes with the number of steps that others must know: what was added since takes nothing away', () => {
    const added = [...common.slice(thisProgram.oldest.common), ...own.slice(thisProgram.oldest.own)].flat();
    // Otherwise `oldest` in migrate.ts has to be raised.
    expect(added.filter((statement) => !isAdding(statement))).toEqual([]);
    expect(['ALTER TABLE a ADD COLUMN b BIGINT NOT NULL DEFAULT 0', 'CREATE TABLE a (b BIGINT)'].every(isAdding)).toBe(
      true,
    );
    const others = ['ALTER TABLE a RENAME COLUMN b TO c', 'ALTER TABLE a ADD COLUMN b TEXT NOT NULL', 'DROP TABLE a'];
    expect(others.some(isAdding)).toBe(false);
  });
});

/** Whether a statement leaves older programs working. */
const isAdding = (statement: string): boolean =>
  /^\s*CREATE (TABLE|INDEX|FUNCTION|TRIGGER) /.test(statement) ||
  (/^\s*ALTER TABLE \w+ ADD COLUMN /.test(statement) && (!/NOT NULL/.test(statement) || /DEFAULT/.test(statement)));
