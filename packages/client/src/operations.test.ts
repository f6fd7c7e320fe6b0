import { expectTypeOf, test } from 'vitest';
import { type AnswerOf, createClient, type Operation, type RequestOf } from './client.js';
import type { Dataset, IngestStatus, LegacyAnswer, Operations, routes, TabularAnswer, Token } from './operations.js';

/** Nothing is called: the compiler is what tests. */
const client = createClient({ url: 'http://test', token: 'xaat-1' });

test('answers', () => {
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

test('members', () => {
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
  expectTypeOf<RequestOf<'getDataset'>>().not.toHaveProperty('query');
});

test('what is missing or does not belong is refused by the compiler', () => {
  const wrong = [
    // @ts-expect-error no such operation
    () => client.call('getNothing'),
    // @ts-expect-error a path needs its parameters
    () => client.call('getDataset'),
    // @ts-expect-error a body is needed
    () => client.call('createDataset', {}),
    // @ts-expect-error and its members
    () => client.call('createDataset', { body: {} }),
    // @ts-expect-error a query parameter that has to be there
    () => client.call('listVirtualFields'),
    // @ts-expect-error a value of another type
    () => client.call('listStarredQueries', { query: { limit: '5' } }),
    // @ts-expect-error a value that is not one of those there are
    () => client.call('createDataset', { body: { name: 'x', kind: 'logs' } }),
    // @ts-expect-error a member that does not belong
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
