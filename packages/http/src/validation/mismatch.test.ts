import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { HttpError } from '@millrace/api/errors';
import { textForms, textOf } from '@millrace/api/schemas/parts';
import { everyRoute } from '@millrace/server/testing/every-route';
import { sentences } from './mismatch.js';
import { checkBody } from './validate.js';

/** Visits all values of a keyword in all request schemas. */
function everywhere(visit: (schema: Readonly<Record<string, unknown>>) => void): void {
  const walk = (value: unknown, isSchema: boolean): void => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) return value.forEach((each) => walk(each, isSchema));
    if (isSchema) visit(value as Readonly<Record<string, unknown>>);
    for (const [name, member] of Object.entries(value)) walk(member, !isSchema || !byName.has(name));
  };
  for (const { params, query, headers, body } of everyRoute().map(({ request }) => request))
    for (const schema of [params, query, headers, body]) walk(schema, true);
}
const byName: ReadonlySet<string> = new Set(['properties', 'patternProperties']);
const silent: ReadonlySet<string> = new Set(
  'title description default examples properties patternProperties required additionalProperties items x-any-case x-whole'.split(
    ' ',
  ),
);

describe('errors about an invalid request', () => {
  it('has a sentence for every rule any route has', () => {
    const used = new Set<string>();
    everywhere((schema) => Object.keys(schema).forEach((keyword) => used.add(keyword)));
    expect(used.size).toBeGreaterThan(15);
    const missing = [...used].filter((keyword) => !silent.has(keyword) && !Object.hasOwn(sentences, keyword));
    expect(missing).toEqual([]);
  });

  it('says in words what every form of a text is', () => {
    const patterns = new Set<unknown>();
    everywhere(({ pattern }) => patterns.add(pattern));
    patterns.delete(undefined);
    expect([...patterns].toSorted()).toEqual(
      Object.values(textForms)
        .map(({ pattern }) => pattern)
        .toSorted(),
    );
  });

  const Body = Type.Object({
    email: textOf('email', { maxLength: 20 }),
    lines: Type.Array(Type.Object({ n: Type.Integer({ minimum: 1, maximum: 5 }) }), { minItems: 2, maxItems: 3 }),
    set: Type.Optional(Type.Array(Type.String(), { uniqueItems: true })),
    only: Type.Optional(Type.Literal('apl')),
  });
  const lines = [{ n: 1 }, { n: 2 }];
  it.each([
    [{ lines }, "body 'email' is required"],
    [{}, "body 'email', 'lines' are required"],
    [{ email: 'a', lines }, "body 'email' must be an e-mail address, such as ada@example.com"],
    [{ email: `a@${'b'.repeat(20)}`, lines }, "body 'email' must have at most 20 characters"],
    [
      { email: 'a@b', lines: [{ n: 0 }, { n: 9 }] },
      "body 'lines[0].n' must be at least 1; body 'lines[1].n' must be at most 5",
    ],
    [{ email: 'a@b', lines: [{}, {}] }, "body 'lines[0].n' is required; body 'lines[1].n' is required"],
    [{ email: 'a@b', lines: [] }, "body 'lines' must have at least 2 elements"],
    [{ email: 'a@b', lines, set: ['x', 'x'] }, "body 'set' must not hold anything twice"],
    [{ email: 'a@b', lines, only: 'sql' }, "body 'only' must be apl"],
    [{ email: 'a@b', lines, only: 5 }, "body 'only' must be a string"],
    [{ email: 5, lines: 'x' }, "body 'email' must be a string; body 'lines' must be a list"],
  ])('%j', (given, message) =>
    expect(() => checkBody(Body, given)).toThrow(new HttpError('invalid-request', message, {})),
  );
});
