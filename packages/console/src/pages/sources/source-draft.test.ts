import { expect, it } from 'vitest';
import { emptySource, problemsIn, sourceBodyOf, sourceDraftOf } from './source-draft.js';
import type { Source } from './source-queries.js';

const kafka = {
  brokers: ['a:9092', 'b:9092'],
  topics: ['orders'],
  tls: true,
  mechanism: 'PLAIN',
  username: 'ada',
  password: '',
};
const storedSource = { name: 'orders', dataset: 'logs', kind: 'kafka', properties: { kafka } } as unknown as Source;

it('a stored source that is saved unchanged stays as it is, with its hidden secret', () =>
  expect(sourceBodyOf(sourceDraftOf(storedSource), storedSource)).toEqual({
    name: 'orders',
    dataset: 'logs',
    properties: { kafka },
  }));

it('empty fields are left out, and lists are separated by lines or commas', () =>
  expect(
    sourceBodyOf({ ...emptySource('logs'), name: ' a ', values: { brokers: 'a:1, b:2\n', topics: 't' } }, undefined),
  ).toEqual({ name: 'a', dataset: 'logs', properties: { kafka: { brokers: ['a:1', 'b:2'], topics: ['t'] } } }));

it('a bucket with numbers', () => {
  const draft = {
    ...emptySource('logs'),
    name: 'b',
    kind: 'bucket',
    values: { bucket: 'b', pollSeconds: '5' },
  } as const;
  expect(problemsIn(draft)).toEqual({});
  expect(sourceBodyOf(draft, undefined).properties).toEqual({ bucket: { bucket: 'b', pollSeconds: 5 } });
  expect(Object.keys(problemsIn({ ...draft, values: { pollSeconds: '-1' } }))).toEqual(['bucket', 'pollSeconds']);
});

it('reports missing fields', () =>
  expect(Object.keys(problemsIn(emptySource('')))).toEqual(['name', 'dataset', 'brokers', 'topics']));
