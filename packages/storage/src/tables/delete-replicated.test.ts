import type { Engine } from '@millrace/engine';
import { call, column, type Expr, integer, item, literal, type Select, select } from '@millrace/sql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { body, dataset, datasetId, encode, type StorageHarness, realWorld, upTo } from '../testing/harness.js';
import { plainCondition } from './simple-condition.js';

/** Deletions of replicated tables, in an engine with one copy: the statements are the same. */

let world: StorageHarness;
let statements: string[];
let engine: Engine;
beforeEach(async () => {
  world = await realWorld();
  statements = [];
  const { engine: real } = world;
  engine = {
    replication: {
      engineOf: () => 'MergeTree',
      spread: async () => undefined,
      askEach: async () => [],
      askMost: async () => [],
    },
    query: (sql, options) => real.query(sql, options),
    stream: (sql, options) => real.stream(sql, options),
    execute: (sql, options) => {
      statements.push(sql);
      // Settings of replicated tables only.
      return real.execute(sql.replace(/, `replicated_deduplication_window_seconds` = \d+/, ''), options);
    },
    insert: (insert) => real.insert(insert),
    health: () => real.health(),
    onReady: (listener) => real.onReady(listener),
    close: () => real.close(),
  };
});
afterEach(() => world.close());

const id: Expr = column('id#i');
const rowId = { time: '_time', seq: '_seq', row: '_row' };
const table: Select['from'] = { kind: 'table', database: 'millrace', name: `d${datasetId}` };
const items = [item(column('_time')), item(column('_seq')), item(column('_row'))];
const below = (limit: number): Expr => call('less', id, integer(BigInt(limit)));

async function fillStorage() {
  const { storage } = await world.open(engine);
  const stored = storage.dataset(datasetId)!;
  await storage.intake.append(stored, encode(stored, body(30)), { arrival: 1_767_225_600_000_000_000n });
  await storage.flush([datasetId]);
  return storage;
}

describe('a deletion by query', () => {
  it('has the condition of the query, without an inner query', async () => {
    const storage = await fillStorage();
    const inner = select({ columns: [...items, item(id, 'id')], from: table, where: below(20) });
    const query = select({
      columns: items,
      from: { kind: 'subquery', query: inner },
      where: call('greaterOrEquals', column('id'), integer(10n)),
    });
    const found = await storage.deletions.countMatching(dataset, { query, rowId, reads: [datasetId] }, true);
    expect(found.rows).toBe(10);
    expect(await world.ids()).toEqual(upTo(30).filter((one) => one < 10 || one >= 20));
    const deletion = statements.find((sql) => sql.startsWith('DELETE'));
    expect(deletion).toContain('`id#i`');
    expect(deletion).not.toContain('SELECT');
  });

  it('names the events where the condition is about others', async () => {
    const storage = await fillStorage();
    const others = select({ columns: [item(id)], from: table, where: below(5) });
    const query = select({ columns: items, from: table, where: { kind: 'inSubquery', needle: id, query: others } });
    const found = await storage.deletions.countMatching(dataset, { query, rowId, reads: [datasetId] }, true);
    expect(found.rows).toBe(5);
    expect(await world.ids()).toEqual(upTo(30).slice(5));
    const deletions = statements.filter((sql) => sql.startsWith('DELETE'));
    expect(deletions).toEqual([expect.stringMatching(/WHERE \(_seq, _row\) IN \(\(1, \d+\)(, \(1, \d+\)){4}\)$/)]);
  });
});

it('a trim removes the parts that old partitions have, and no partition', async () => {
  const storage = await fillStorage();
  expect(await storage.deletions.trim(dataset, BigInt(Date.UTC(2026, 0, 3)) * 1_000_000n)).toBe(20);
  expect(await world.ids()).toEqual(upTo(30).filter((one) => one % 3 === 2));
  const drops = statements.filter((sql) => sql.includes(' DROP PART'));
  expect(drops).toEqual([expect.stringMatching(/^ALTER TABLE \S+ DROP PART '\d+_[\d_]+', DROP PART '\d+_[\d_]+'$/)]);
});

describe('the condition of a query alone', () => {
  const from = table;
  const cases: readonly (readonly [string, Select])[] = [
    ['groups rows', select({ columns: items, from, groupBy: [id] })],
    ['takes some rows', select({ columns: items, from, limit: 5 })],
    [
      'joins',
      select({ columns: items, from: { kind: 'subquery', query: select({ columns: items, from, having: id }) } }),
    ],
    [
      'reads JSON, which depends on settings',
      select({ columns: items, from, where: call('JSONHas', id, literal('a')) }),
    ],
    ['counts rows', select({ columns: items, from, where: { kind: 'call', name: 'count', args: [], over: {} } })],
    [
      'is about a name that has another meaning outside',
      select({ columns: [item(call('negate', id), 'id#i')], from, where: below(3) }),
    ],
  ];

  it.each(cases)('is not there when it %s', (_, query) => {
    expect(plainCondition(query)).toBeUndefined();
  });

  it('leaves parameters of functions as they are', () => {
    const isX: Expr = { kind: 'lambda', params: ['x'], body: call('equals', column('x'), column('y')) };
    const inner = select({ columns: [item(id, 'y'), item(id, 'x')], from });
    const query = select({ columns: items, from: { kind: 'subquery', query: inner }, where: call('arrayExists', isX) });
    expect(plainCondition(query)).toMatchObject({
      args: [{}, { args: [{ body: { args: [{ name: 'x' }, { name: 'id#i' }] } }] }],
    });
  });
});
