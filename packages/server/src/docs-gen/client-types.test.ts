import { Type, type TObject, type TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { json, route, type RequestShape, type Route } from '@millrace/http/route';
import { withTitle } from '@millrace/api/schemas/parts';
import { clientTypes } from './client-types.js';

const routeWith = (request: RequestShape, responses: Route['responses']): Route =>
  route({
    method: 'POST',
    path: '/things',
    operation: 'makeThing',
    tag: 'Things',
    summary: 'Make a thing',
    need: { scope: 'login' },
    request,
    responses,
    handle: () => json({}),
  });

const generateTypes = (schema: TSchema): string =>
  clientTypes([routeWith({}, { 200: { description: 'It.', schema } })]);

/** Generated type of a schema, cut out of the text of a route that responds with it. */
const typeOf = (schema: TSchema): string => /readonly answer: (.*?);\n {2}\};/s.exec(generateTypes(schema))![1]!;

describe('a schema as a type', () => {
  const cases: readonly (readonly [string, TSchema])[] = [
    ['string', Type.String({ minLength: 1, format: 'date-time' })],
    ['number', Type.Integer({ minimum: 0 })],
    ['number', Type.Number()],
    ['boolean', Type.Boolean()],
    ['null', Type.Null()],
    ['unknown', Type.Unknown()],
    ["'a\\'b'", Type.Literal("a'b")],
    ['7', Type.Literal(7)],
    ['string | null', Type.Union([Type.String(), Type.Null()])],
    ['number', Type.Union([Type.Integer(), Type.Number()])],
    ["'a' | 'b'", Type.Unsafe({ type: 'string', enum: ['a', 'b'] })],
    ['readonly string[]', Type.Array(Type.String())],
    ['readonly (string | null)[]', Type.Array(Type.Union([Type.String(), Type.Null()]))],
    ['readonly (readonly number[])[]', Type.Array(Type.Array(Type.Integer()))],
    ['readonly { readonly a: string }[]', Type.Array(Type.Object({ a: Type.String() }))],
    [
      'readonly ({ readonly a: string } | { readonly b: string })[]',
      Type.Array(Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })])),
    ],
    ['readonly Readonly<Record<string, string>>[]', Type.Array(Type.Record(Type.String(), Type.String()))],
    ['Readonly<Record<string, boolean>>', Type.Record(Type.String(), Type.Boolean())],
    ['Readonly<Record<string, unknown>>', Type.Record(Type.String(), Type.Unknown())],
    ['Readonly<Record<never, never>>', Type.Object({})],
    ['{ readonly a: string }', Type.Object({ a: Type.String() }, { additionalProperties: false })],
    [
      '{ readonly a: string; readonly b?: number }',
      Type.Object({ a: Type.String(), b: Type.Optional(Type.Integer()) }),
    ],
    ["{ readonly 'a-b': string }", Type.Object({ 'a-b': Type.String() })],
    ['Thing', withTitle('Thing', Type.Object({ a: Type.String() }))],
  ];
  test.each(cases)('%s', (text, schema) => expect(typeOf(schema)).toBe(text));

  test('descriptions are comments, and cannot end them', () =>
    expect(typeOf(Type.Object({ a: Type.String({ description: 'Ends */ here.' }) }))).toContain(
      '/** Ends *\\/ here. */\n',
    ));
});

describe('a named schema', () => {
  const Thing = withTitle(
    'Thing',
    Type.Object({ part: withTitle('Part', Type.Union([Type.Literal('a'), Type.Literal('b')])) }),
  );

  test('is declared once, and referred to by its name', () => {
    const text = generateTypes(Type.Array(Type.Object({ one: Thing, other: Thing })));
    expect(text.match(/^export (interface|type) .*$/gm)).toEqual([
      "export type Part = 'a' | 'b';",
      'export interface Thing {',
      'export interface Operations {',
    ]);
    expect(text).toContain('readonly part: Part;');
  });

  test.each([
    ['two schemas are titled Thing', Type.Object({ a: Thing, b: withTitle('Thing', Type.String()) })],
    ["'Operations' cannot name a type", withTitle('Operations', Type.String())],
    ["'a thing' cannot name a type", withTitle('a thing', Type.String())],
  ])('is refused: %s', (message, schema) => expect(() => generateTypes(schema)).toThrow(message));
});

test.each([
  ['no type is known for a schema with allOf', Type.Intersect([Type.Object({ a: Type.String() })])],
  ['no type is known for a schema with additionalProperties', Type.Object({}, { additionalProperties: Type.String() })],
  ['no type is known for a schema of type bigint', Type.BigInt()],
])('nothing is passed over: %s', (message, schema) => expect(() => generateTypes(schema)).toThrow(message));

describe('an operation', () => {
  const generateOperation = (
    request: RequestShape,
    responses: Route['responses'] = { 204: { description: 'Done.' } },
  ): string => clientTypes([routeWith(request, responses)]);
  const some = (name: string, optional = false): TObject =>
    Type.Object({ [name]: optional ? Type.Optional(Type.String()) : Type.String() });

  const requests: readonly (readonly [string, RequestShape])[] = [
    ['readonly request: Readonly<Record<never, never>>;', {}],
    ['readonly params: { readonly id: string };', { params: some('id') }],
    ['readonly query: { readonly q: string };', { query: some('q') }],
    ['readonly query?: { readonly q?: string };', { query: some('q', true) }],
    ["readonly headers?: { readonly 'x-a'?: string };", { headers: some('x-a', true) }],
    ['readonly body: { readonly a: string };', { body: some('a') }],
    ['readonly body: Uint8Array | string;', { body: 'bytes' }],
  ];
  test.each(requests)('takes %s', (text, request) => expect(generateOperation(request)).toContain(text));

  const forms: readonly (readonly [string, string, Route['responses']])[] = [
    ['undefined', "statuses: [204], answer: 'empty'", { 204: { description: 'Done.' } }],
    ['Uint8Array', "statuses: [200], answer: 'bytes'", { 200: { description: 'Rows.', mediaTypes: ['text/csv'] } }],
    [
      'string | number',
      "statuses: [200, 503], answer: 'json'",
      {
        200: { description: 'Well.', schema: Type.String() },
        503: { description: 'Ill.', schema: Type.Integer() },
      },
    ],
  ];
  test.each(forms)('gives %s', (type, form, responses) => {
    const text = generateOperation({}, responses);
    expect(text).toContain(`readonly answer: ${type};`);
    expect(text).toContain(`makeThing: { method: 'POST', path: '/things', body: 'none', ${form} },`);
  });

  test('is refused when its answers differ in form', () =>
    expect(() =>
      generateOperation({}, { 200: { description: 'It.', schema: Type.String() }, 204: { description: 'None.' } }),
    ).toThrow('makeThing has answers of 2 forms'));
});
