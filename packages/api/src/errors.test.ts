import { expect, test } from 'vitest';
import { type ErrorCode, errorTable, httpError, statusOf } from './errors.js';

const codes = Object.keys(errorTable) as ErrorCode[];

test.each(codes)('%s fills in every parameter', (code) => {
  const { message, hint = '' }: { readonly message: string; readonly hint?: string } = errorTable[code];
  const names = [...`${message} ${hint}`.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const parameters = Object.fromEntries(names.map((name) => [name, `<${name}>`]));
  const error = httpError(code, parameters as never);
  for (const name of names) expect(error.message).toContain(`<${name}>`);
  expect(error.message).not.toMatch(/\{\w+\}|undefined/);
});

test('every 404 says "not found", which clients look for', () => {
  for (const code of codes.filter((code) => errorTable[code].status === 404))
    expect(errorTable[code].message).toContain('not found');
});

test('the schema hint is shown only to senders of events', () => {
  expect(httpError('ingest-dataset-not-found', { name: 'x' }).message).toMatch(/not found; create it with POST/);
  expect(httpError('dataset-not-found', { name: 'x' }).message).toMatch(
    /not found; list datasets with GET \/v2\/datasets/,
  );
});

test('a failed authentication answers as the operator chose, a missing right does not', () => {
  expect([statusOf('unauthenticated', 403), statusOf('unauthenticated', 401), statusOf('forbidden', 401)]).toEqual([
    403, 401, 403,
  ]);
});

test('values from requests cannot forge lines or drown the message', () => {
  const { message } = httpError('dataset-not-found', { name: `a\r\nX-Forged: 1\u0000\u001b[31m${'x'.repeat(10_000)}` });
  expect(message).not.toMatch(/\p{Cc}/u);
  expect(message.length).toBeLessThan(800);
});
