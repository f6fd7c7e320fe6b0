import type { PendingTimeRange, Catalog, CompileOptions, CompiledQuery, Dataset, Need } from '@millrace/apl';
import { LruCache } from '@millrace/runtime/memory/lru-cache';
import type { Compilation } from './compiler-messages.js';

/** Maximum cached queries; each takes tens of kilobytes if a dataset has hundreds of fields. */
const maxPlans = 100;
/**
 * In characters. Longer texts rarely repeat, and would be stored several times: in the key, in the
 * plan, and in its statements.
 */
const longestText = 16_384;
const longestKey = 2 * longestText;
/** Needs of cacheable plans; others may change between two compilations. */
const cacheableNeeds: ReadonlySet<Need> = new Set(['event-times', 'chance', 'other-rows']);

/** The catalog lookups of a compilation and their results. */
interface CatalogReads {
  readonly datasets: Map<string, Dataset | undefined>;
  readonly views: Map<string, string | undefined>;
  readonly reference: Catalog['reference'];
  names?: readonly string[];
  inViews?: CatalogReads;
  inVirtualFields?: CatalogReads;
}

/** Compiles a text. */
type CompileText = (text: string, options: CompileOptions) => Promise<Compilation>;

interface Plan {
  readonly reads: CatalogReads;
  readonly compiled: CompiledQuery | PendingTimeRange;
}

/**
 * Cache of compiled queries. A compiled query depends on its text, its options, the clock and the
 * catalog, so a plan can be reused as long as the catalog returns the same results for the same
 * lookups. That covers fields, virtual fields, views and permissions.
 */
export class PlanCache {
  readonly #plans = new LruCache<string, Plan>(maxPlans);

  /**
   * Compiles a text, or returns the cached compilation. Only queries that depend neither on the
   * data itself nor on the clock are cached.
   */
  async compile(text: string, options: CompileOptions, compileText: CompileText): Promise<Compilation> {
    const { catalog, now: _, impliedEnd: __, facts = [], files = new Map(), ...rest } = options;
    if (facts.length > 0 || files.size > 0 || text.length > longestText) return compileText(text, options);
    const key = JSON.stringify([text, rest], (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
    // With the variables of the query, which may be as long as a request.
    if (key.length > longestKey) return compileText(text, options);
    const found = this.#plans.get(key);
    if (found !== undefined && isCurrent(found.reads, catalog)) return found.compiled;
    const reads = noReads(catalog);
    const compiled = await compileText(text, { ...options, catalog: recordReads(catalog, reads) });
    if ((compiled.kind === 'compiled' || compiled.kind === 'times') && isLasting(compiled) && isShort(reads))
      this.#plans.set(key, { reads, compiled });
    return compiled;
  }
}

const noReads = ({ reference }: Catalog): CatalogReads => ({ datasets: new Map(), views: new Map(), reference });

/** A catalog that records its lookups in `reads`. */
function recordReads(catalog: Catalog, reads: CatalogReads): Catalog {
  const { reference, inViews, inVirtualFields } = catalog;
  return {
    get names() {
      return (reads.names = catalog.names);
    },
    dataset: (name) => record(reads.datasets, name, catalog.dataset(name)),
    view: (name) => record(reads.views, name, catalog.view?.(name)),
    ...(reference !== undefined && { reference }),
    ...(inViews !== undefined && { inViews: recordReads(inViews, (reads.inViews = noReads(inViews))) }),
    ...(inVirtualFields !== undefined && {
      inVirtualFields: recordReads(inVirtualFields, (reads.inVirtualFields = noReads(inVirtualFields))),
    }),
  };
}

function record<T>(notes: Map<string, T>, name: string, answer: T): T {
  notes.set(name, answer);
  return answer;
}

function isCurrent(reads: CatalogReads, catalog: Catalog): boolean {
  try {
    return hasSameResults(reads, catalog);
  } catch {
    // The catalog rejects the lookup; the compiler will report that, if it makes this lookup.
    return false;
  }
}

const hasSameResults = (
  { datasets, views, reference, names, inViews, inVirtualFields }: CatalogReads,
  catalog: Catalog,
): boolean =>
  reference === catalog.reference &&
  (names === undefined || isSameList(names, catalog.names)) &&
  [...views].every(([name, text]) => text === catalog.view?.(name)) &&
  [...datasets].every(([name, dataset]) => isSame(dataset, catalog.dataset(name))) &&
  isSameWithin(inViews, catalog.inViews) &&
  isSameWithin(inVirtualFields, catalog.inVirtualFields);

const isSameWithin = (reads: CatalogReads | undefined, catalog: Catalog | undefined): boolean =>
  reads === undefined || (catalog !== undefined && hasSameResults(reads, catalog));

/** Fields are compared by identity: their map is replaced as soon as any of them changes. */
const isSame = (a: Dataset | undefined, b: Dataset | undefined): boolean =>
  a === b ||
  (a !== undefined &&
    b !== undefined &&
    a.database === b.database &&
    a.table === b.table &&
    a.fields === b.fields &&
    a.rest === b.rest &&
    isSameList([...(a.virtualFields ?? [])].flat(), [...(b.virtualFields ?? [])].flat()));

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((value, i) => value === b[i]));

const isLasting = ({ needs }: Plan['compiled']): boolean => [...needs].every((need) => cacheableNeeds.has(need));

const isShort = (reads: CatalogReads): boolean => textsOf(reads).every(({ length }) => length <= longestText);

/** Views and virtual fields are texts in the language too, and may be long. */
const textsOf = ({ datasets, views, inViews, inVirtualFields }: CatalogReads): readonly string[] => [
  ...[...views.values()].flatMap((text) => text ?? []),
  ...[...datasets.values()].flatMap((dataset) => [...(dataset?.virtualFields?.values() ?? [])]),
  ...[inViews, inVirtualFields].flatMap((reads) => (reads === undefined ? [] : textsOf(reads))),
];
