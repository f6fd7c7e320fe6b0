import { Yielder } from './yield.js';

/** Long lists are read some records at a time, so that others have turns in between. */

/** Bytes that are read in one go: two milliseconds or so. */
const pageBytes = 256 * 1024;

/** A record to read, and its length. */
interface Entry<K> {
  readonly key: K;
  readonly length: number;
}

/** The keys of records in pages of so many bytes; a longer record gets a page for itself. */
function pagesOf<K>(entries: readonly Entry<K>[]): readonly (readonly K[])[] {
  const pages: K[][] = [];
  let bytes = 0;
  for (const { key, length } of entries) {
    bytes += Number(length);
    const page = pages.at(-1);
    if (page === undefined || bytes > pageBytes || page.length >= maxKeys) {
      pages.push([key]);
      bytes = Number(length);
    } else page.push(key);
  }
  return pages;
}

/** A statement names the keys of a page. */
const maxKeys = 1000;

/** Reads records page by page, in the order of their keys. */
export async function* inPages<K, T>(
  entries: readonly Entry<K>[],
  read: (keys: readonly K[]) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  const yielder = new Yielder();
  for (const [i, keys] of pagesOf(entries).entries()) {
    if (i > 0) await yielder.maybeYield();
    yield await read(keys);
  }
}

/** Collects all pages into one array. */
export async function collectPages<T>(pages: AsyncIterable<readonly T[]>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}
