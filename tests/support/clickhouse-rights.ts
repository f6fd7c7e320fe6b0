import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.js';

/** The rights that sections of docs/scaling.md name for the ClickHouse user, as `GRANT … ON …`. */
export const grantsIn = (...headings: readonly string[]): readonly string[] => {
  const sections = readFileSync(join(root, 'docs/scaling.md'), 'utf8').split(/^## /m);
  return headings.flatMap((heading) => {
    const text = sections.find((section) => section.startsWith(`${heading}\n`));
    if (text === undefined) throw new Error(`docs/scaling.md has no section "${heading}"`);
    return [...text.matchAll(/(GRANT [^;`]*?) TO millrace\b/g)].map(([, grant]) => grant!.replaceAll(/\s+/g, ' '));
  });
};

/** For one server. */
export const documentedGrants: readonly string[] = grantsIn('Events in a ClickHouse server');

/** For a server with replicas. */
export const replicaGrants: readonly string[] = [...documentedGrants, ...grantsIn('Replicas')];
