import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { json, route } from '../route.js';
import { type AnsweredRequest, checkDocumented } from './check-documented.js';

const routes = [
  route({
    method: 'GET',
    path: '/things/{id}',
    operation: 'getThing',
    tag: 'Things',
    summary: 'Get a thing',
    need: { scope: 'login' },
    request: { params: Type.Object({ id: Type.String() }) },
    responses: { 200: { description: 'The thing.', schema: Type.Object({ id: Type.String() }) } },
    errors: ['not-found'],
    handle: () => json({}),
  }),
];
const createAnswer = (status: number, body: unknown, mediaType = 'application/json'): AnsweredRequest => ({
  method: 'GET',
  url: '/things/1',
  status,
  mediaType,
  body,
});

const good: readonly (readonly [string, AnsweredRequest])[] = [
  ['the answer', createAnswer(200, { id: '1' })],
  ['a declared error', createAnswer(404, { code: 404, message: 'not found' })],
  ['an error of every route', createAnswer(403, { code: 403, message: 'no' })],
  ['a route that does not exist', { ...createAnswer(404, { code: 404, message: 'not found' }), url: '/nowhere' }],
];
test.each(good)('passes %s', (_, answer) => expect(() => checkDocumented(routes, answer)).not.toThrow());

const bad: readonly (readonly [string, AnsweredRequest, string])[] = [
  ['another media type', createAnswer(200, { id: '1' }, 'text/html'), 'media type'],
  ['a member that is missing', createAnswer(200, {}), 'required'],
  ['a member of another type', createAnswer(200, { id: 1 }), 'must be string'],
  ['a member too many', createAnswer(200, { id: '1', more: 1 }), 'member more is not documented'],
  ['a status that is not declared', createAnswer(409, { code: 409, message: 'x' }), 'is not documented'],
  ['an error without its code', createAnswer(404, { message: 'not found' }), 'not an error body'],
  ['an error with another code', createAnswer(404, { code: 400, message: 'not found' }), 'not an error body'],
  [
    'an error of Fastify',
    createAnswer(404, { statusCode: 404, error: 'Not Found', message: 'x' }),
    'not an error body',
  ],
  ['no body', createAnswer(403, undefined), 'not an error body'],
];
test.each(bad)('fails %s', (_, answer, message) => expect(() => checkDocumented(routes, answer)).toThrow(message));
