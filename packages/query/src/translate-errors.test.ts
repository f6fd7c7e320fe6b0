import { EngineError } from '@millrace/engine';
import { LogError } from '@millrace/log';
import { expect, test } from 'vitest';
import { MetadataError } from '@millrace/metadata/metadata-error';
import { defaultSettings } from '@millrace/http/settings/settings';
import { DiskFullError } from '@millrace/storage/disk-full-error';
import { DatasetDeleted } from '@millrace/storage/readers';
import { errorTranslator } from './translate-errors.js';

const ofSqlite = (code: string): unknown => MetadataError.of(Object.assign(new Error('secret /path'), { code }));

const fullEngine = new EngineError('disk-full', 'secret /path');

test.each([
  ['disk-full', new LogError('disk-full', 'secret /path')],
  ['disk-full-change', fullEngine],
  ['disk-full-change', ofSqlite('SQLITE_FULL')],
  ['disk-full-read', new DiskFullError('reading', fullEngine)],
  ['disk-full-trim', new DiskFullError('deleting', fullEngine)],
])('a full disk is %s by the blocked operation, retryable, and without a path', (code, error) => {
  const answer = errorTranslator(defaultSettings())(error);
  expect(answer).toMatchObject({ code, headers: { 'retry-after': '1' }, cause: error });
  expect(answer?.message).not.toContain('secret');
});

test('a disk that fails under the metadata is the storage, another error of SQLite is ours', () => {
  expect(errorTranslator(defaultSettings())(ofSqlite('SQLITE_IOERR_FSYNC'))).toMatchObject({
    code: 'storage-unavailable',
  });
  expect(ofSqlite('SQLITE_CONSTRAINT')).toBeUndefined();
});

test('a query with more columns than a statement can have fails with a client error', () => {
  const answer = errorTranslator(defaultSettings())(new EngineError('too-complex', 'secret SQL'));
  expect(answer).toMatchObject({ code: 'invalid-query' });
  expect(answer?.message).toContain('name fewer');
  expect(answer?.message).not.toContain('secret');
});

test('a result beyond queryMaxResultBytes fails with the limit', () => {
  const answer = errorTranslator(defaultSettings({ queryMaxResultBytes: 4321 }))(new EngineError('result-limit'));
  expect(answer).toMatchObject({ code: 'query-too-large', message: expect.stringContaining('more than 4321 bytes') });
});

test('the log of a canceled export distinguishes a deleted dataset from a stopped query', () => {
  const codeOf = (error: unknown) => errorTranslator(defaultSettings())(error)?.code;
  expect(codeOf(new DatasetDeleted())).toBe('dataset-deleted');
  expect(codeOf(new EngineError('cancelled'))).toBe('query-cancelled');
});
