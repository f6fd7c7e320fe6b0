/** Removes tokens from text that is logged or returned. */

const token = /x(?:aat|apt|otc)-[\w.~%-]*/gi;

/** Replaces all but the prefix of each token. */
export const redactTokens = (text: string): string => text.replaceAll(token, (found) => `${found.slice(0, 5)}…`);

/** The part of a route that locates a token in its path. */
interface TokenPath {
  readonly path: string;
  readonly secretPath?: true;
}

/** The path parameter that contains a token. */
const parameter = '{key}';

/**
 * Redacts a path whether or not a route serves it: with another method, in another case,
 * percent-encoded, below another prefix, or longer than the route's.
 */
export function redactPath(routes: readonly TokenPath[], path: string): string {
  const segments = path.split('/');
  const plain = segments.map((segment) => decodeSegment(segment).toLowerCase());
  const filled = plain.flatMap((text, index) => (text === '' ? [] : [index]));
  for (const before of prefixes(routes)) {
    for (let start = 0; start + before.length < filled.length; start++) {
      const matches = before.every((text, i) => text === undefined || text === plain[filled[start + i]!]);
      if (matches) segments[filled[start + before.length]!] = parameter;
    }
  }
  return segments
    .map((segment) =>
      redactTokens(decodeSegment(segment)) === decodeSegment(segment) ? segment : redactTokens(decodeSegment(segment)),
    )
    .join('/');
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

type Prefix = readonly (string | undefined)[];
const prefixCache = new WeakMap<readonly TokenPath[], readonly Prefix[]>();

/** The path prefix before each token parameter; undefined for other parameters. */
function prefixes(routes: readonly TokenPath[]): readonly Prefix[] {
  const found = prefixCache.get(routes);
  if (found !== undefined) return found;
  const made = routes.flatMap(({ path, secretPath }) => {
    const segments = path.split('/').filter((segment) => segment !== '');
    const at = segments.indexOf(parameter);
    return secretPath !== true || at < 0
      ? []
      : [segments.slice(0, at).map((text) => (text.startsWith('{') ? undefined : text.toLowerCase()))];
  });
  prefixCache.set(routes, made);
  return made;
}
