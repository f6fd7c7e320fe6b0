import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.js';

/** What pages say that the user of ClickHouse needs, as `GRANT … ON …`. */
export const grantsIn = (...pages: readonly string[]): readonly string[] =>
  pages.flatMap((page) => {
    const text = readFileSync(join(root, 'docs', page), 'utf8');
    return [...text.matchAll(/(GRANT [^;`]*?) TO millrace\b/g)].map(([, grant]) => grant!.replaceAll(/\s+/g, ' '));
  });

/** For one server. */
export const documentedGrants: readonly string[] = grantsIn('clickhouse.md');
