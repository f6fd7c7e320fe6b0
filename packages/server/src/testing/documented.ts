import { Value } from 'typebox/value';
import { errorTable } from '../errors.js';
import { errorsOf } from '../http/table/describe-route.js';
import { errorFormBelow, parameterNames, presentUrl } from '../http/table/paths.js';
import type { Route } from '../http/route.js';

/** Whether an answer is what the table of routes says. Every answer of a test world is checked with this. */

export interface Answered {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly mediaType: string;
  readonly body: unknown;
}

/** Errors that come before any route is chosen. */
const beforeRoutes = [
  'route-not-found',
  'route-behind-prefix',
  'route-not-served',
  'method-not-allowed',
  'url-too-long',
  'invalid-url',
  'bad-http',
  'not-from-console',
  'unsupported-content-type',
] as const;

/** @throws Error saying how the answer differs from what is documented */
export function checkDocumented(routes: readonly Route[], answered: Answered): void {
  const { method, url, status, mediaType, body } = answered;
  const where = `${method} ${url} → ${status}`;
  const route = routeOf(routes, method === 'HEAD' ? 'GET' : method, url);
  const response = route?.responses[status];
  // Other interfaces are not documented here; what they answer their own tests look at.
  const [path = ''] = url.split('?');
  if (method === 'HEAD' || route?.shipper === true || errorFormBelow(routes, path) !== undefined) return;
  if (route !== undefined && response !== undefined) {
    const described = response.mediaTypes ?? (response.schema === undefined ? undefined : ['application/json']);
    if (described === undefined) return;
    const which = described.findIndex((type) => mediaType.startsWith(type));
    if (which < 0) throw new Error(`${where}: media type ${mediaType}`);
    // The schema is that of the first.
    if (response.schema === undefined || which > 0) return;
    const [problem] = Value.Errors(response.schema, body);
    if (problem !== undefined)
      throw new Error(`${where}: ${problem.instancePath} ${problem.message} in ${JSON.stringify(body)}`);
    const unknown = Object.keys((body ?? {}) as object).find((key) => isUnknownMember(response.schema, key));
    if (unknown !== undefined) throw new Error(`${where}: member ${unknown} is not documented`);
    return;
  }
  const codes = [...(route === undefined ? [] : errorsOf(route)), ...beforeRoutes];
  const statuses = new Set<number>(codes.map((code) => errorTable[code].status));
  // Failed authentication answers with what the settings say.
  if (codes.includes('unauthenticated')) statuses.add(401);
  if (!statuses.has(status)) throw new Error(`${where} is not documented: ${JSON.stringify(body)}`);
  const { errorForm } = route ?? {};
  if (errorForm !== undefined && mediaType.startsWith(errorForm.mediaType)) {
    // What is in other forms the tests of these routes look at.
    const [problem] = errorForm.schema === undefined ? [] : Value.Errors(errorForm.schema, body);
    if (problem !== undefined) throw new Error(`${where}: ${problem.message} in ${JSON.stringify(body)}`);
    return;
  }
  const shape = body as { readonly code?: unknown; readonly message?: unknown };
  if (shape?.code !== status || typeof shape.message !== 'string')
    throw new Error(`${where}: not an error body: ${JSON.stringify(body)}`);
}

function isUnknownMember(schema: object | undefined, key: string): boolean {
  if (schema === undefined || !('properties' in schema) || 'patternProperties' in schema) return false;
  return !Object.hasOwn(schema.properties as object, key);
}

/** The route that serves a request; fixed parts of a path win over parameters. */
function routeOf(routes: readonly Route[], method: string, url: string): Route | undefined {
  const [path = ''] = presentUrl(url).split(/[?#]/);
  const parts = path.replace(/\/$/, '').split('/');
  const fits = ({ path: pattern }: Route): boolean => {
    const wanted = pattern.replace(/\/$/, '').split('/');
    const isRest = (part: string | undefined): boolean => part?.endsWith('*}') ?? false;
    return (
      (wanted.length === parts.length || (wanted.length < parts.length && isRest(wanted.at(-1)))) &&
      wanted.every((part, i) => part.startsWith('{') || part === parts[i])
    );
  };
  return routes
    .filter((route) => route.method === method && fits(route))
    .sort((a, b) => parameterNames(a.path).length - parameterNames(b.path).length)[0];
}
