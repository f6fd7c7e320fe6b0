import type { Search } from './search-text.js';

/**
 * State in the address. A page declares its parameters as a table: how each is read and written,
 * its default, and whether it is part of what is asked. Changing what is asked makes a new entry in
 * the history; changing how it looks replaces the present one.
 */
interface Param<T> {
  readonly fallback: T;
  /** Undefined where the text means nothing: the default then holds. */
  read(text: string): T | undefined;
  write(value: T): string;
  readonly asked: boolean;
}

export type Params = Readonly<Record<string, Param<unknown>>>;
export type StateOf<P> = { readonly [Name in keyof P]: P[Name] extends Param<infer T> ? T : never };

const shownAs = <T>(fallback: T, read: Param<T>['read'], write: Param<T>['write']): Param<T> => ({
  fallback,
  read,
  write,
  asked: false,
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

/** A list; commas separate, and `\` stands before one that is part of a name. */
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

/** The same parameter, as part of what is asked. */
export const asked = <T>(param: Param<T>): Param<T> => ({ ...param, asked: true });

/** What an address says; parameters that others put there are left alone. */
export function readState<P extends Params>(params: P, search: Search): StateOf<P> {
  const entries = Object.entries(params).map(([name, param]) => {
    const text = search[name];
    return [name, (text === undefined ? undefined : param.read(text)) ?? param.fallback];
  });
  return Object.fromEntries(entries) as StateOf<P>;
}

/**
 * The address after a change: a parameter that has its default is absent, and unknown ones are
 * kept.
 */
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

/** Whether a change is about what is asked. */
export const isAsked = <P extends Params>(params: P, change: Partial<StateOf<P>>): boolean =>
  Object.keys(change).some((name) => params[name]?.asked === true);
