import type { Catalog, Dataset, Field, RareFields, Rest } from '@millrace/apl';
import type { Expr } from '@millrace/sql';

/**
 * A catalog for a compiler thread: lookups during compilation are sent to the main thread one at a
 * time, because most queries name a few datasets out of many, whose fields could be millions.
 */

/** Which of the catalogs in a catalog. */
type Path = readonly ('inViews' | 'inVirtualFields')[];

/** The static properties of a catalog, without its lookups. */
export interface CatalogShape extends Pick<Catalog, 'reference'> {
  readonly hasViews: boolean;
  readonly inViews?: CatalogShape;
  readonly inVirtualFields?: CatalogShape;
}

/** A dataset; its rare fields are looked up separately. */
interface PlainDataset extends Omit<Dataset, 'rest'> {
  readonly hasRest: boolean;
}

type OfRest =
  | { readonly kind: 'has'; readonly field: string }
  | { readonly kind: 'beneath'; readonly path: string }
  /** Fields, or only their names, in pages: the first page, or the page after the last response. */
  | { readonly kind: 'some'; readonly of: FieldListing; readonly listing: number }
  | { readonly kind: 'bag' | 'text'; readonly without: readonly string[] }
  | { readonly kind: 'renamed'; readonly bag: Expr; readonly names: ReadonlyMap<string, string> }
  | { readonly kind: 'members'; readonly bag: Expr; readonly path: string; readonly except: readonly string[] };

type FieldListing =
  | { readonly kind: 'all' | 'names' }
  /** There may be a hundred thousand names that end with the same word. */
  | { readonly kind: 'ending'; readonly word: string };

export type CatalogLookup = { readonly in: Path } & (
  | { readonly kind: 'names' }
  | { readonly kind: 'dataset' | 'view'; readonly name: string }
  | { readonly kind: 'rest'; readonly dataset: string; readonly about: OfRest }
);

/** Rare fields per response: a millisecond of work for the responding thread. */
const atOnce = 500;

export const shapeOf = ({ reference, view, inViews, inVirtualFields }: Catalog): CatalogShape => ({
  hasViews: view !== undefined,
  ...(reference !== undefined && { reference }),
  ...(inViews !== undefined && { inViews: shapeOf(inViews) }),
  ...(inVirtualFields !== undefined && { inVirtualFields: shapeOf(inVirtualFields) }),
});

/** Responds to the lookups of one compilation, with plain data. */
export class CatalogAnswers {
  readonly #catalog: Catalog;
  readonly #listings = new Map<number, Iterator<Field | string>>();

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** @throws errors of the catalog, such as a rejection */
  answer(lookup: CatalogLookup): unknown {
    const catalog = lookup.in.reduce((outer, inner) => outer[inner]!, this.#catalog);
    switch (lookup.kind) {
      case 'names':
        return catalog.names;
      case 'view':
        return catalog.view?.(lookup.name);
      case 'dataset':
        return plain(catalog.dataset(lookup.name));
      case 'rest':
        return this.#ofRest(catalog.dataset(lookup.dataset)!.rest!, lookup.about);
    }
  }

  #ofRest(rest: Rest, about: OfRest): unknown {
    switch (about.kind) {
      case 'has':
        return rest.fields.has(about.field);
      case 'beneath':
        return rest.fields.beneath(about.path);
      case 'some':
        return this.#some(about.listing, () => listEach(rest.fields, about.of));
      case 'bag':
      case 'text':
        return rest[about.kind](about.without);
      case 'renamed':
        return rest.renamed(about.bag, about.names);
      case 'members':
        return rest.members(about.bag, about.path, about.except);
    }
  }

  #some(listing: number, list: () => Iterable<Field | string>): readonly (Field | string)[] {
    const left = this.#listings.get(listing) ?? list()[Symbol.iterator]();
    this.#listings.set(listing, left);
    const some: (Field | string)[] = [];
    while (some.length < atOnce) {
      const next = left.next();
      if (next.done === true) break;
      some.push(next.value);
    }
    return some;
  }
}

const listEach = (fields: RareFields, of: FieldListing): Iterable<Field | string> =>
  of.kind === 'ending' ? fields.ending(of.word) : fields[of.kind]();

function plain(dataset: Dataset | undefined): PlainDataset | undefined {
  if (dataset === undefined) return undefined;
  const { rest, ...others } = dataset;
  return { ...others, hasRest: rest !== undefined };
}

/** The catalog as a thread sees it. */
export function remoteCatalog(shape: CatalogShape, ask: (lookup: CatalogLookup) => unknown, path: Path = []): Catalog {
  const known = new Map<string, Dataset | undefined>();
  let names: readonly string[] | undefined;
  const dataset = (name: string): Dataset | undefined => {
    if (!known.has(name)) {
      const found = ask({ in: path, kind: 'dataset', name }) as PlainDataset | undefined;
      known.set(name, found && withRest(found, (about) => ask({ in: path, kind: 'rest', dataset: name, about })));
    }
    return known.get(name);
  };
  const { reference, inViews, inVirtualFields } = shape;
  return {
    dataset,
    get names() {
      return (names ??= ask({ in: path, kind: 'names' }) as readonly string[]);
    },
    ...(shape.hasViews && { view: (name) => ask({ in: path, kind: 'view', name }) as string | undefined }),
    ...(reference !== undefined && { reference }),
    ...(inViews !== undefined && { inViews: remoteCatalog(inViews, ask, [...path, 'inViews']) }),
    ...(inVirtualFields !== undefined && {
      inVirtualFields: remoteCatalog(inVirtualFields, ask, [...path, 'inVirtualFields']),
    }),
  };
}

let listings = 0;

function withRest({ hasRest, ...dataset }: PlainDataset, ask: (about: OfRest) => unknown): Dataset {
  if (!hasRest) return dataset;
  function* listItems<T>(of: FieldListing): Generator<T> {
    const listing = listings++;
    for (;;) {
      const some = ask({ kind: 'some', of, listing }) as readonly T[];
      yield* some;
      if (some.length < atOnce) return;
    }
  }
  const fields: RareFields = {
    ending: (word) => listItems<Field>({ kind: 'ending', word }),
    has: (field) => ask({ kind: 'has', field }) as boolean,
    all: () => listItems<Field>({ kind: 'all' }),
    names: () => listItems<string>({ kind: 'names' }),
    beneath: (path) => ask({ kind: 'beneath', path }) as boolean,
  };
  return {
    ...dataset,
    rest: {
      fields,
      bag: (without) => ask({ kind: 'bag', without }) as Expr,
      text: (without) => ask({ kind: 'text', without }) as Expr,
      renamed: (bag, names) => ask({ kind: 'renamed', bag, names }) as Expr,
      members: (bag, path, except) => ask({ kind: 'members', bag, path, except }) as Expr,
    },
  };
}
