import type { ErrorForm } from '../errors/error-form.js';
import { type Method, namingOf, type Route } from '../route.js';

/** Paths of the route table, such as `/v2/datasets/{id}`, and what is derived from them. */

/**
 * The form the router wants: `/v2/datasets/:id`, and `/console/*` for `/console/{path*}`, which
 * stands for the whole rest of a path.
 */
export const routerPath = (path: string): string =>
  path.replaceAll(/\{(\w+)(\*?)\}/g, (_, name: string, rest: string) => (rest === '' ? `:${name}` : '*'));

/** Parameters under their own names; the router calls the rest of a path `*`. */
export function ownNames(path: string, found: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [, name] = /\{(\w+)\*\}/.exec(path) ?? [];
  if (name === undefined) return found;
  const { '*': rest = '', ...others } = found;
  return { ...others, [name]: rest };
}

/**
 * What is too much at the beginning of a path without a route. Clients add `/v1/…` to the URL they
 * are given, so if that has a path of its own, the one they ask for is `/v1/v1/…`.
 */
export function prefixBefore(routes: readonly Pick<Route, 'path'>[], path: string): string | undefined {
  for (const { index } of path.matchAll(/\/v\d+(?=\/)/g)) {
    const rest = path.slice(index);
    if (index > 0 && routes.some((route) => patternOf(route.path).test(rest))) return path.slice(0, index);
  }
  return undefined;
}

/**
 * The URL of a request in the form of the table. The interface was once served below `/api`, and
 * programs of that time, such as earlier versions of next-axiom, have it in their code, where
 * nobody who sets their address can leave it out.
 */
export function presentUrl(sent: string): string {
  const url = withoutEmptyParts(sent);
  if (url.startsWith('/api/v1/')) return url.slice('/api'.length);
  return url.startsWith(`${consoleApi}/`) && !ownPath.test(url) ? url.slice(consoleApi.length) : url;
}

/**
 * Programs that append `/_bulk` to what they are given are given addresses that end with a slash.
 */
function withoutEmptyParts(url: string): string {
  if (!url.includes('//')) return url;
  const [path, ...query] = url.split(/(?=\?)/);
  return path!.replaceAll(/\/{2,}/g, '/') + query.join('');
}

/**
 * Below it is the whole table once more, for browsers that are signed in; see `console-mount.ts`.
 */
export const consoleApi = '/console/api';

/** The path of the table that is below it by itself. */
const ownPath = /^\/console\/api\/session\/?(?:[?#]|$)/;

/** Names of a path's parameters, in order. */
export const parameterNames = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\*?\}/g)].map((match) => match[1]!);

/** The path of a request to a route. */
export const fillPath = (path: string, parameters: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\*?\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));

/**
 * Methods that exist for a path as sent, including HEAD. What is declared literally is not taken
 * for a parameter's value in another path: of those that match, the ones with the fewest parameters
 * are meant.
 */
export function methodsOf(routes: readonly Route[], path: string): readonly string[] {
  const matching = routes.filter((route) => patternOf(route.path).test(path));
  const parameters = (route: Route): number => parameterNames(route.path).length;
  const fewest = Math.min(...matching.map(parameters));
  return [...new Set(matching.filter((route) => parameters(route) === fewest).flatMap(methodsServed))];
}

/** A route for GET also serves HEAD, unless it refuses it. */
const methodsServed = ({ method, refusesHead }: Pick<Route, 'method' | 'refusesHead'>): readonly RouterMethod[] =>
  method === 'GET' && refusesHead !== true ? ['GET', 'HEAD'] : [method];

type RouterMethod = Method | 'HEAD';

/**
 * Paths with the methods that they lack but the router would find under another path:
 * `GET /v1/datasets/_apl` would ask for a dataset of that name.
 */
export function misledMethods(
  routes: readonly Route[],
): readonly { readonly path: string; readonly methods: readonly RouterMethod[] }[] {
  return [...new Set(routes.map(({ path }) => path))].flatMap((path) => {
    const sent = path.replaceAll(/\{\w+\}/g, '0');
    const own = methodsOf(routes, sent);
    const found = routes.filter((route) => patternOf(route.path).test(sent)).flatMap(methodsServed);
    const methods = [...new Set(found)].filter((method) => !own.includes(method));
    return methods.length === 0 ? [] : [{ path, methods }];
  });
}

/** Matches paths as sent that belong to this one; with `below`, also those below it. */
export function patternOf(path: string, below?: 'below'): RegExp {
  const patterns = below === undefined ? patternsOfPaths : patternsBelowPaths;
  const known = patterns.get(path) ?? newPattern(path, below);
  patterns.set(path, known);
  return known;
}

// Those of all paths of the table: a start compares each with every other, and a request without a
// route with all of them.
const patternsOfPaths = new Map<string, RegExp>();
const patternsBelowPaths = new Map<string, RegExp>();

function newPattern(path: string, below: 'below' | undefined): RegExp {
  const text = path
    .split(/(\{\w+\*?\})/)
    .map((part, i) =>
      i % 2 === 0 ? part.replaceAll(/[.*+?^$|()[\]\\]/g, String.raw`\$&`) : part.endsWith('*}') ? '.+' : '[^/]+',
    )
    .join('');
  return new RegExp(below === undefined ? `^${text}/?$` : `^${text}(/|$)`);
}

/**
 * @throws Error if two routes are the same, or a route does not describe a parameter that its path
 * or need names
 */
export function checkTable(routes: readonly Route[]): void {
  const seen = new Set<string>();
  for (const { method, path, operation, need, request } of routes) {
    for (const key of [`${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`, `operation ${operation}`]) {
      if (seen.has(key)) throw new Error(`two routes are ${key}`);
      seen.add(key);
    }
    const declared = Object.keys(request.params?.properties ?? {}).sort();
    const named = [...parameterNames(path)].sort();
    if (declared.join() !== named.join())
      throw new Error(`${operation}: path has parameters ${named.join()}, schema has ${declared.join()}`);
    const naming = namingOf(need);
    if (naming?.in === 'path' && !named.includes(naming.name)) {
      throw new Error(`${operation}: needs a right on parameter ${naming.name}, which its path does not have`);
    }
    if (naming?.in === 'header' && !request.headers?.required?.includes(naming.name as never)) {
      throw new Error(`${operation}: needs a right on what header ${naming.name} names, which it does not require`);
    }
  }
}

/**
 * How errors look below the path of a protocol, where there is no route: as its programs expect
 * them.
 */
export const errorFormBelow = (routes: readonly Route[], path: string): ErrorForm | undefined =>
  routes.find(({ shipper, path: base }) => shipper === true && patternOf(base, 'below').test(path))?.errorForm;
