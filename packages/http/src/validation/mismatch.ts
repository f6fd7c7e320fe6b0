import { textForms } from '@millrace/api/schemas/parts';
import { memberPath, placeOf, type Schema } from './schema-walk.js';

/** Describes the mismatches between a request and its schema. */

interface Mismatch {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
}

/** Maximum errors reported at once. */
const maxExpected = 3;

/**
 * One sentence per invalid place.
 * @param what the part of the request, such as `body`
 */
export function mismatches(schema: Schema, what: string, found: readonly Mismatch[]): readonly string[] {
  const places = new Map<string, Mismatch>();
  for (const mismatch of found) {
    const { keyword, instancePath, params } = mismatch;
    // A forbidden property is reported twice: by its object, which is enough, and by its own
    // schema.
    if (keyword === 'boolean') continue;
    // Reports the first problem of each place, which is the most specific: for an empty string, its
    // format is not a second problem. But every missing or unknown property is reported.
    const key = `${instancePath} ${keyword === 'required' || keyword === 'additionalProperties' ? JSON.stringify(params) : ''}`;
    if (!places.has(key)) places.set(key, mismatch);
  }
  return [...places.values()].slice(0, maxExpected).map((mismatch) => sentence(schema, what, mismatch));
}

function sentence(schema: Schema, what: string, { keyword, instancePath, params }: Mismatch): string {
  const { path, schema: at } = placeOf(schema, instancePath);
  const given = params as Parameters;
  const listNames = (names: readonly string[]): string =>
    `${what} '${names.map((name) => memberPath(path, name)).join("', '")}'`;
  if (keyword === 'required') {
    const { requiredProperties: missing = [] } = given;
    return `${listNames(missing)} ${missing.length === 1 ? 'is' : 'are'} required`;
  }
  if (keyword === 'additionalProperties') {
    const { additionalProperties: unknown = [] } = given;
    const known = Object.keys(at.properties ?? {}).join(', ');
    return `${listNames(unknown)} ${unknown.length === 1 ? 'is' : 'are'} not known; expected one of ${known}`;
  }
  const explanation = Object.hasOwn(sentences, keyword) ? sentences[keyword as Keyword](given) : 'is not as documented';
  return path === '' ? `the ${what} ${explanation}` : `${what} '${path}' ${explanation}`;
}

/** The parameters of a keyword that failed. */
interface Parameters {
  readonly type?: string;
  readonly limit?: number;
  readonly pattern?: string;
  readonly allowedValues?: readonly unknown[];
  readonly allowedValue?: unknown;
  readonly requiredProperties?: readonly string[];
  readonly additionalProperties?: readonly string[];
}

type Keyword = keyof typeof sentences;

/** Sentences for all keywords that request schemas use, without their subject, the place. */
export const sentences = {
  type: ({ type = '' }: Parameters) => `must be ${Object.hasOwn(kinds, type) ? kinds[type] : type}`,
  minimum: ({ limit }: Parameters) => `must be at least ${limit}`,
  maximum: ({ limit }: Parameters) => `must be at most ${limit}`,
  minLength: ({ limit }: Parameters) => (limit === 1 ? notEmpty : `must have at least ${limit} characters`),
  maxLength: ({ limit }: Parameters) => `must have at most ${limit} characters`,
  minItems: ({ limit }: Parameters) => (limit === 1 ? notEmpty : `must have at least ${limit} elements`),
  maxItems: ({ limit }: Parameters) => `must have at most ${limit} elements`,
  uniqueItems: () => 'must not hold anything twice',
  enum: ({ allowedValues = [] }: Parameters) => `must be ${choice(allowedValues)}`,
  const: ({ allowedValue }: Parameters) => `must be ${choice([allowedValue])}`,
  pattern: ({ pattern }: Parameters) => `must be ${expectedBy(pattern)}`,
  anyOf: () => 'must have one of the documented forms',
  // Times are the only strings with a `format`.
  format: () => `must be ${textForms.time.expected}`,
};

const notEmpty = 'must not be empty';

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

const choice = (values: readonly unknown[]): string =>
  values.length === 1
    ? String(values[0])
    : `one of ${values
        .filter((value) => value !== '')
        .map(String)
        .join(', ')}`;

const expectedBy = (pattern: string | undefined): string =>
  Object.values(textForms).find((form) => form.pattern === pattern)?.expected ?? 'as documented';
