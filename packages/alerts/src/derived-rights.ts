import { parse } from '@millrace/apl';
import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import type { RequiredPermission } from '@millrace/http/access/authorize';
import { LruCache } from '@millrace/runtime/memory/lru-cache';
import { auditDataset, resolveDatasetName } from '@millrace/metadata/dataset-names';

/**
 * Rights that runs, history and open groups of a monitor need: they repeat values of the events
 * that its query reads.
 */

/** The parts of a monitor that determine what its query reads. */
type MonitorQuery = Pick<StoredMonitor, 'aplQuery' | 'language' | 'reads'>;

/** Words of a query that may be names of data it reads. */
interface Words {
  /** Tables of the query, known or not. */
  readonly tables: ReadonlySet<string>;
  /** All names and strings. */
  readonly all: ReadonlySet<string>;
}

/**
 * Rights to query everything that a monitor reads.
 * @param isKnown whether a name is that of a dataset or view
 */
export function needsOfMonitor(
  monitor: MonitorQuery,
  isKnown: (name: string) => boolean,
): readonly RequiredPermission[] {
  const words = monitor.language === 'mpl' ? undefined : cachedWords(monitor.aplQuery);
  const names = words === undefined ? readableBy(monitor.reads) : namesAmong(words, isKnown);
  return [...new Set(names.map(resolveDatasetName))].map((name) => ({ scope: 'query', name }));
}

/** Maximum distinct queries with cached words: the default maximum of monitors. */
const maxRecent = 1000;
const recent = new LruCache<string, { readonly words: Words | undefined }>(maxRecent);

function cachedWords(text: string): Words | undefined {
  const known = recent.get(text) ?? { words: wordsOf(text) };
  recent.set(text, known);
  return known.words;
}

/** A string may be the argument of `table()`, so each word that is a known name counts. */
const namesAmong = ({ tables, all }: Words, isKnown: (name: string) => boolean): readonly string[] => [
  ...tables,
  ...[...all].filter((word) => isKnown(resolveDatasetName(word))),
];

/** No dataset is named `*`: only a right on all datasets or views covers it. */
const readableBy = ({ all, audit, datasets, views }: StoredMonitor['reads']): readonly string[] => [
  ...(all ? ['*'] : [...datasets, ...views]),
  ...(audit ? [auditDataset] : []),
];

/**
 * Words of a query. Undefined if only a run can determine what it reads: it has wildcards, searches
 * all datasets, computes a name or cannot be parsed.
 */
function wordsOf(text: string): Words | undefined {
  const { program, diagnostics } = parse(text);
  if (diagnostics.some(({ severity }) => severity === 'error')) return undefined;
  const tables = new Set<string>();
  const defined = new Set<string>();
  const all = new Set<string>();
  let isOpen = false;
  const visit = (node: unknown): void => {
    if (typeof node === 'string') all.add(node);
    if (typeof node !== 'object' || node === null) return;
    if (!Array.isArray(node)) {
      const { kind, pattern, name, datasets, within } = node as Readonly<Record<string, unknown>>;
      if (kind === 'let' || kind === 'letFunction') defined.add(textOf(name));
      if (kind === 'table') tables.add(textOf(pattern));
      isOpen ||=
        (kind === 'table' && isWildcard(pattern)) ||
        (kind === 'tableOf' && !isLiteral(name)) ||
        ((kind === 'search' || kind === 'find') && within === undefined) ||
        (Array.isArray(datasets) && datasets.some(isWildcard));
    }
    for (const member of Object.values(node)) visit(member);
  };
  visit(program);
  return isOpen ? undefined : { tables: new Set([...tables].filter((name) => !defined.has(name))), all };
}

const memberOf = (node: unknown, name: string): unknown =>
  typeof node === 'object' && node !== null ? (node as Readonly<Record<string, unknown>>)[name] : undefined;
const textOf = (node: unknown): string => String(memberOf(node, 'text'));
const isWildcard = (node: unknown): boolean => memberOf(node, 'wildcard') === true;
const isLiteral = (node: unknown): boolean => memberOf(node, 'kind') === 'literal';
