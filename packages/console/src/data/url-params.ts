import type { Search } from './search-text.js';

/**
 * State in the address. A page declares a table of parameters: how to parse and format each, its
 * default, and whether it is part of the query. A change of the query pushes a history entry; a
 * change of presentation replaces the current one.
 */
interface Param<T> {
  readonly fallback: T;
  /** Undefined if invalid: the default applies. */
  read(text: string): T | undefined;
  write(value: T): string;
  readonly queryParam: boolean;
}

export type Params = Readonly<Record<string, Param<unknown>>>;
export type StateOf<P> = { readonly [Name in keyof P]: P[Name] extends Param<infer T> ? T : never };

const shownAs = <T>(fallback: T, read: Param<T>['read'], write: Param<T>['write']): Param<T> => ({
  fallback,
  read,
  write,
  queryParam: false,
});

export const textParam = (fallback = ''): Param<string> =>
  shownAs(
    fallback,
    (text) => text,
    (value) => value,
  );

export const flagParam = (fallback = false): Param<boolean> =>
  shownAs(
    fallback,
    (text) => (text === 'on' ? true : text === 'off' ? false : undefined),
    (value) => (value ? 'on' : 'off'),
  );

export const numberParam = (fallback: number): Param<number> =>
  shownAs(
    fallback,
    (text) => (text.trim() === '' || !Number.isFinite(Number(text)) ? undefined : Number(text)),
    String,
  );

export const choiceParam = <const T extends string>(choices: readonly T[], fallback: T): Param<T> =>
  shownAs(
    fallback,
    (text) => choices.find((each) => each === text),
    (value) => value,
  );

/** A comma-separated list; `\` escapes commas in names. */
export const listParam = (): Param<readonly string[]> =>
  shownAs<readonly string[]>([], listOf, (value) =>
    value.map((each) => each.replaceAll(/[,\\]/g, String.raw`\$&`)).join(','),
  );

function listOf(text: string): readonly string[] {
  if (text === '') return [];
  const items = [''];
  for (const [piece] of text.matchAll(/\\?./gsu)) {
    if (piece === ',') items.push('');
    else items[items.length - 1] += piece.length > 1 && piece.startsWith('\\') ? piece.slice(1) : piece;
  }
  return items;
}

/** Marks a parameter as part of the query. */
export const queryParam = <T>(param: Param<T>): Param<T> => ({ ...param, queryParam: true });

/** Parses an address; ignores unknown parameters. */
export function readState<P extends Params>(params: P, search: Search): StateOf<P> {
  const entries = Object.entries(params).map(([name, param]) => {
    const text = search[name];
    return [name, (text === undefined ? undefined : param.read(text)) ?? param.fallback];
  });
  return Object.fromEntries(entries) as StateOf<P>;
}

/** Address after a change: omits parameters with their default and keeps unknown ones. */
export function changedSearch<P extends Params>(params: P, search: Search, change: Partial<StateOf<P>>): Search {
  const result: Record<string, string> = { ...search };
  for (const [name, value] of Object.entries(change)) {
    const param = params[name];
    if (param === undefined) continue;
    const text = param.write(value);
    if (value === undefined || text === param.write(param.fallback)) delete result[name];
    else result[name] = text;
  }
  return result;
}

/** Whether a change affects the query. */
export const changesQuery = <P extends Params>(params: P, change: Partial<StateOf<P>>): boolean =>
  Object.keys(change).some((name) => params[name]?.queryParam === true);
