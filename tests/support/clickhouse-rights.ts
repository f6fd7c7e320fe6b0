import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const page = readFileSync(join(import.meta.dirname, '../../docs/clickhouse.md'), 'utf8');

/** What the page about ClickHouse says that its user needs, as `GRANT … ON …`. */
export const documentedGrants: readonly string[] = [...page.matchAll(/(GRANT [^;`]*?) TO millrace\b/g)].map(
  ([, grant]) => grant!.replaceAll(/\s+/g, ' '),
);
