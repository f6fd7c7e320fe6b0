import type { AsksTimes, Catalogue, CompileOptions, Compiled, Dataset, Need } from '@millrace/apl';
import { Recent } from '../../memory/recent.js';
import type { Compilation } from './compiler-messages.js';

/**
 * Compiled queries that are kept; each takes some tens of kilobytes if a dataset has hundreds of
 * fields.
 */
const maxPlans = 100;
/**
 * Characters; what is longer is rarely asked twice, and would be kept several times over: in the
 * key, in the plan, and in its statements.
 */
const longestText = 16_384;
const longestKey = 2 * longestText;
/** What a kept plan may need: anything else may be another the next time. */
const lasting: ReadonlySet<Need> = new Set(['event-times', 'chance', 'other-rows']);

/** What the compiler asked its catalogue, and what it was told. */
interface Told {
  readonly datasets: Map<string, Dataset | undefined>;
  readonly views: Map<string, string | undefined>;
  readonly reference: Catalogue['reference'];
  names?: readonly string[];
  inViews?: Told;
  inVirtualFields?: Told;
}

/** Compiles a text. */
type CompileText = (text: string, options: CompileOptions) => Promise<Compilation>;

interface Plan {
  readonly told: Told;
  readonly compiled: Compiled | AsksTimes;
}

/**
 * Queries compiled before. A compiled query depends on its text, its options, the clock and what
 * the compiler is told about the data, so a plan can be used again as long as the catalogue gives
 * the same answers to the same questions. That covers fields, virtual fields, views and rights
 * alike.
 */
export class PlanCache {
  readonly #plans = new Recent<string, Plan>(maxPlans);

  /**
   * What `compileText` makes of a text, or made of it before. Only queries that depend neither on
   * the data itself nor on the clock are kept.
   */
  async compile(text: string, options: CompileOptions, compileText: CompileText): Promise<Compilation> {
    const { catalogue, now: _, impliedEnd: __, facts = [], files = new Map(), ...rest } = options;
    if (facts.length > 0 || files.size > 0 || text.length > longestText) return compileText(text, options);
    const key = JSON.stringify([text, rest], (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
    // With the variables of the query, which may be as long as a request.
    if (key.length > longestKey) return compileText(text, options);
    const found = this.#plans.get(key);
    if (found !== undefined && isStillTold(found.told, catalogue)) return found.compiled;
    const told = nothingOf(catalogue);
    const compiled = await compileText(text, { ...options, catalogue: heard(catalogue, told) });
    if ((compiled.kind === 'compiled' || compiled.kind === 'times') && isLasting(compiled) && isShort(told))
      this.#plans.set(key, { told, compiled });
    return compiled;
  }
}

const nothingOf = ({ reference }: Catalogue): Told => ({ datasets: new Map(), views: new Map(), reference });

/** The same catalogue, with its answers noted in `told`. */
function heard(catalogue: Catalogue, told: Told): Catalogue {
  const { reference, inViews, inVirtualFields } = catalogue;
  return {
    get names() {
      return (told.names = catalogue.names);
    },
    dataset: (name) => noted(told.datasets, name, catalogue.dataset(name)),
    view: (name) => noted(told.views, name, catalogue.view?.(name)),
    ...(reference !== undefined && { reference }),
    ...(inViews !== undefined && { inViews: heard(inViews, (told.inViews = nothingOf(inViews))) }),
    ...(inVirtualFields !== undefined && {
      inVirtualFields: heard(inVirtualFields, (told.inVirtualFields = nothingOf(inVirtualFields))),
    }),
  };
}

function noted<T>(notes: Map<string, T>, name: string, answer: T): T {
  notes.set(name, answer);
  return answer;
}

function isStillTold(told: Told, catalogue: Catalogue): boolean {
  try {
    return isSameTold(told, catalogue);
  } catch {
    // The catalogue refuses; the compiler will report that, if it gets to this question.
    return false;
  }
}

const isSameTold = (
  { datasets, views, reference, names, inViews, inVirtualFields }: Told,
  catalogue: Catalogue,
): boolean =>
  reference === catalogue.reference &&
  (names === undefined || isSameList(names, catalogue.names)) &&
  [...views].every(([name, text]) => text === catalogue.view?.(name)) &&
  [...datasets].every(([name, dataset]) => isSame(dataset, catalogue.dataset(name))) &&
  isSameWithin(inViews, catalogue.inViews) &&
  isSameWithin(inVirtualFields, catalogue.inVirtualFields);

const isSameWithin = (told: Told | undefined, catalogue: Catalogue | undefined): boolean =>
  told === undefined || (catalogue !== undefined && isSameTold(told, catalogue));

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

const isLasting = ({ needs }: Plan['compiled']): boolean => [...needs].every((need) => lasting.has(need));

const isShort = (told: Told): boolean => textsOf(told).every(({ length }) => length <= longestText);

/** Views and virtual fields are texts in the language too, and may be long. */
const textsOf = ({ datasets, views, inViews, inVirtualFields }: Told): readonly string[] => [
  ...[...views.values()].flatMap((text) => text ?? []),
  ...[...datasets.values()].flatMap((dataset) => [...(dataset?.virtualFields?.values() ?? [])]),
  ...[inViews, inVirtualFields].flatMap((told) => (told === undefined ? [] : textsOf(told))),
];
