import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { errorTable } from '@millrace/api/errors';
import { everyRoute } from '@millrace/server/testing/every-route';
import { openApi } from './openapi.js';
import { checkTable, fillPath, methodsOf, parameterNames } from './paths.js';
import type { Route } from '../route.js';
import { checkBody, checkTexts } from '../validation/validate.js';

/** Without the pages, which are no part of the interface. */
const routes = everyRoute().filter(({ page }) => page !== true);
const document = JSON.parse(JSON.stringify(openApi(routes))) as {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
};

interface Operation {
  readonly operationId: string;
  readonly security: readonly unknown[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly responses: Readonly<Record<string, unknown>>;
}

test('the table does not contradict itself', () => expect(() => checkTable(routes)).not.toThrow());

test('every route is an operation with all its statuses', () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
    routes
      .filter(({ page }) => page !== true)
      .map(({ operation }) => operation)
      .sort(),
  );
  for (const { method, path, responses, page } of routes) {
    if (page === true) continue;
    expect(Object.keys(document.paths[path]![method.toLowerCase()]!.responses)).toEqual(
      expect.arrayContaining(Object.keys(responses)),
    );
  }
});

test('answers name every media type they come in', () => {
  const typesOf = (path: string, method: string): readonly string[] =>
    Object.keys((document.paths[path]![method]!.responses['200'] as { readonly content: object }).content);
  expect(typesOf('/v1/export', 'get')).toEqual([
    'application/x-ndjson',
    'text/csv; charset=utf-8',
    'application/vnd.apache.parquet',
  ]);
  expect(typesOf('/v1/query/_apl', 'post')).toEqual(['application/json', 'application/x-ndjson']);
});

test('path parameters are required and named as in the path', () => {
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const { parameters = [] } of Object.values(operations)) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => name)).toEqual(parameterNames(path));
      expect(inPath.every(({ required }) => required)).toBe(true);
    }
  }
});

test('every reference leads to a component, and every component is described', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    (match) => match[1]!,
  );
  expect(references.length).toBeGreaterThan(100);
  expect(references.filter((name) => document.components.schemas[name] === undefined)).toEqual([]);
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining(['Dataset', 'Token', 'Annotation', 'Error']),
  );
});

test('only public routes need no token', () => {
  const open = Object.values(document.paths).flatMap((path) =>
    Object.values(path).filter(({ security }) => security.length === 0),
  );
  // Handshakes of shippers are as public as in those products.
  const shippers = new Set(routes.filter(({ shipper }) => shipper === true).map(({ operation }) => operation));
  const own = open.map(({ operationId }) => operationId).filter((id) => !shippers.has(id));
  expect(own.sort()).toEqual([
    'createProxySession',
    'describeMpl',
    'exchangeToken',
    'getDeviceToken',
    'getHealth',
    'getOpenApi',
    'getPublicStatus',
    'listSignInMethods',
    'startDevice',
  ]);
});

const examples = routes.flatMap((route) =>
  route.examples.map((example) => ({ name: `${route.operation}: ${example.summary}`, route, example })),
);

test.each(examples)('example fits its schemas: $name', ({ route: { request, responses, path }, example }) => {
  const { params = {}, query = {}, body, answer } = example;
  expect(Object.keys(params).sort()).toEqual([...parameterNames(path)].sort());
  if (request.params !== undefined) checkTexts(request.params, params, 'path parameter');
  if (request.query !== undefined) checkTexts(request.query, query, 'query parameter');
  const read = request.body === undefined || request.body === 'bytes' ? body : checkBody(request.body, body);
  expect(read).toEqual(body);
  const [response] = Object.values(responses);
  const problems = answer === undefined || response?.schema === undefined ? [] : Value.Errors(response.schema, answer);
  expect(problems).toEqual([]);
});

test('declared errors exist', () => {
  for (const { errors } of routes) for (const code of errors) expect(errorTable).toHaveProperty(code);
});

test('paths', () => {
  expect(fillPath('/v2/datasets/{id}/fields/{field}', { id: 'a b', field: '../x/%' })).toBe(
    '/v2/datasets/a%20b/fields/..%2Fx%2F%25',
  );
  expect(methodsOf(routes, '/v2/datasets')).toEqual(['GET', 'HEAD', 'POST']);
  expect(methodsOf(routes, '/v2/datasets/x/')).toEqual(['GET', 'HEAD', 'PUT', 'DELETE']);
  expect(methodsOf(routes, '/v2')).toEqual([]);
});

const brokenTables: readonly (readonly [string, (route: Route) => readonly Route[]])[] = [
  ['two routes are GET /x', (route) => [route, { ...route, operation: 'other' }]],
  ['two routes are operation same', (route) => [route, { ...route, path: '/y' }]],
  ['path has parameters id', (route) => [{ ...route, path: '/x/{id}' }]],
  [
    'needs a right on parameter id',
    (route) => [{ ...route, need: { scope: 'dataset', resource: 'query', action: 'read', param: 'id' } }],
  ],
  [
    'needs a right on what header x-name names, which it does not require',
    (route) => [{ ...route, need: { scope: 'dataset', resource: 'query', action: 'read', header: 'x-name' } }],
  ],
];
test.each(brokenTables)('a table that contradicts itself is refused: %s', (message, make) => {
  const sound: Route = {
    method: 'GET',
    path: '/x',
    operation: 'same',
    tag: 'x',
    summary: 'x',
    need: { scope: 'login' },
    request: {},
    responses: {},
    errors: [],
    examples: [],
    handle: () => ({ kind: 'empty', status: 204, headers: {} }),
  };
  expect(() => checkTable(make(sound))).toThrow(message);
});
