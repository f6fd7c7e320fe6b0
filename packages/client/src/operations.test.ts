import { expectTypeOf, test } from 'vitest';
import { type AnswerOf, createClient, type Operation, type RequestOf } from './client.js';
import type { Dataset, IngestStatus, LegacyAnswer, Operations, routes, TabularAnswer, Token } from './operations.js';

/** Checked by the compiler; no calls are made. */
const client = createClient({ url: 'http://test', token: 'xaat-1' });

test('responses', () => {
  expectTypeOf<AnswerOf<'getDataset'>>().toEqualTypeOf<Dataset>();
  expectTypeOf<AnswerOf<'listTokens'>>().toEqualTypeOf<readonly Token[]>();
  expectTypeOf<AnswerOf<'ingest'>>().toEqualTypeOf<IngestStatus>();
  expectTypeOf<AnswerOf<'deleteDataset'>>().toEqualTypeOf<undefined>();
  expectTypeOf<AnswerOf<'export'>>().toEqualTypeOf<Uint8Array>();
  expectTypeOf<AnswerOf<'queryApl'>>().toEqualTypeOf<LegacyAnswer | TabularAnswer>();
  expectTypeOf<Extract<AnswerOf<'queryApl'>, { readonly format: 'tabular' }>>().toEqualTypeOf<TabularAnswer>();
  expectTypeOf(client.call<'createDataset'>).returns.resolves.toEqualTypeOf<Dataset>();
  expectTypeOf(client.send<'createDataset'>).returns.resolves.toEqualTypeOf<Response>();
});

test('properties', () => {
  expectTypeOf<Dataset['kind']>().toEqualTypeOf<
    'axiom:events:v1' | 'otel:logs:v1' | 'otel:traces:v1' | 'otel:metrics:v1'
  >();
  expectTypeOf<Token['expiresAt']>().toEqualTypeOf<string | null>();
  expectTypeOf<Dataset['mapFields']>().toEqualTypeOf<readonly string[]>();
  expectTypeOf<NonNullable<Token['datasetCapabilities']['logs']>['query']>().toEqualTypeOf<
    readonly 'read'[] | undefined
  >();
});

test('requests', () => {
  expectTypeOf<RequestOf<'getDataset'>['params']>().toEqualTypeOf<{ readonly id: string }>();
  expectTypeOf<RequestOf<'ingest'>['body']>().toEqualTypeOf<Uint8Array | string>();
  expectTypeOf<NonNullable<RequestOf<'listStarredQueries'>['query']>['limit']>().toEqualTypeOf<number | undefined>();
  expectTypeOf<RequestOf<'ingest'>>().toHaveProperty('headers');
  expectTypeOf<RequestOf<'deleteDataset'>>().not.toHaveProperty('query');
});

test('the compiler rejects missing and unknown properties', () => {
  const wrong = [
    // @ts-expect-error no such operation
    () => client.call('getNothing'),
    // @ts-expect-error a path needs its parameters
    () => client.call('getDataset'),
    // @ts-expect-error a body is needed
    () => client.call('createDataset', {}),
    // @ts-expect-error and its properties
    () => client.call('createDataset', { body: {} }),
    // @ts-expect-error a required query parameter
    () => client.call('listVirtualFields'),
    // @ts-expect-error a value of another type
    () => client.call('listStarredQueries', { query: { limit: '5' } }),
    // @ts-expect-error a value that is not in the enumeration
    () => client.call('createDataset', { body: { name: 'x', kind: 'logs' } }),
    // @ts-expect-error an unknown parameter
    () => client.call('listDatasets', { query: { x: 1 } }),
  ];
  const right = [
    () => client.call('listDatasets'),
    () => client.call('listDatasets', { signal: AbortSignal.timeout(1) }),
    () => client.call('listStarredQueries'),
  ];
  expectTypeOf(wrong).toBeArray();
  expectTypeOf(right).toBeArray();
});

test('every operation has its form', () => {
  expectTypeOf<keyof typeof routes>().toEqualTypeOf<Operation>();
  expectTypeOf<keyof Operations>().toEqualTypeOf<Operation>();
});
