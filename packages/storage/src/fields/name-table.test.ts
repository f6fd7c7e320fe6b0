import { expect, test } from 'vitest';
import { NameTable } from './name-table.js';

test('a hundred thousand names are found, by their last segments too, and gone once they are removed', () => {
  const table = new NameTable();
  const name = (i: number): string => (i % 3 === 0 ? `plain ${i}` : `some.prefix.${i}.last${i % 1000}`);
  const all = Array.from({ length: 100_000 }, (_, i) => name(i));
  all.forEach((each, i) => table.set(each, 1 + (i % 5)));
  expect(table.size).toBe(100_000);
  expect(all.every((each, i) => table.get(each) === 1 + (i % 5))).toBe(true);
  expect(table.get('plain 1')).toBe(0);
  const ending = all.filter((each) => each.endsWith('.last7'));
  expect([...table.namesEndingIn('last7')].toSorted()).toEqual(ending.toSorted());
  expect([...table.entries()].map(([each]) => each)).toEqual(all);

  // An iteration in progress yields the rest, despite removals.
  const listing = table.entries();
  expect(listing.next().value).toEqual([all[0], 1]);
  const isKept = (_: string, i: number): boolean => i % 10 === 0;
  for (const each of all.filter((each, i) => !isKept(each, i))) table.set(each, 0);
  const kept = all.filter(isKept);
  expect(table.size).toBe(kept.length);
  expect(table.get(all[1]!)).toBe(0);
  expect([...table.entries()].map(([each]) => each)).toEqual(kept);
  expect([...table.namesEndingIn('last7')]).toEqual([]);
  expect([...table.namesEndingIn('last10')].toSorted()).toEqual(
    kept.filter((each) => each.endsWith('.last10')).toSorted(),
  );
  const listed = new Set([...listing].map(([each]) => each));
  expect(kept.slice(1).every((each) => listed.has(each))).toBe(true);

  // This many gaps are closed in steps, and concurrent changes are kept.
  const steps = table.removeClosed();
  steps.next();
  table.set(kept[0]!, 0);
  table.set(kept.at(-1)!, 0);
  table.setBits(kept[1]!, 8);
  table.setBits('new meanwhile', 2);
  expect(table.size).toBe(kept.length - 1);
  expect([...steps].length).toBeGreaterThan(10);
  expect([...table.entries()].map(([each]) => each).toSorted()).toEqual(
    [...kept.slice(1, -1), 'new meanwhile'].toSorted(),
  );
  expect(table.size).toBe(kept.length - 1);
  expect(table.get(kept[1]!)).toBe((1 + (10 % 5)) | 8);
  expect([...table.namesEndingIn('last10')].toSorted()).toEqual(
    kept.filter((each) => each.endsWith('.last10')).toSorted(),
  );
});
