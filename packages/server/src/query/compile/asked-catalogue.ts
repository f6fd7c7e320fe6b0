import type { Catalogue, Dataset, Field, RareFields, Rest } from '@millrace/apl';
import type { Expr } from '@millrace/sql';

/**
 * A catalogue is asked while a query is compiled, and its answers come from the main thread. A
 * thread that compiles asks it there, one question at a time: most queries name a few datasets out
 * of many, whose fields could be millions.
 */

/** Which of the catalogues in a catalogue. */
type Path = readonly ('inViews' | 'inVirtualFields')[];

/** What a catalogue has besides its answers. */
export interface CatalogueShape extends Pick<Catalogue, 'reference'> {
  readonly hasViews: boolean;
  readonly inViews?: CatalogueShape;
  readonly inVirtualFields?: CatalogueShape;
}

/** A dataset; what there is to ask about its rare fields is asked separately. */
interface PlainDataset extends Omit<Dataset, 'rest'> {
  readonly hasRest: boolean;
}

type OfRest =
  | { readonly kind: 'has'; readonly field: string }
  /**
   * Fields, or only their names, some at a time: from the first ones, or those behind the last
   * answer.
   */
  | { readonly kind: 'some'; readonly of: Listed; readonly listing: number }
  | { readonly kind: 'bag' | 'text'; readonly without: readonly string[] }
  | { readonly kind: 'renamed'; readonly bag: Expr; readonly names: ReadonlyMap<string, string> };

type Listed =
  | { readonly kind: 'all' | 'names' }
  /** There may be a hundred thousand names that end with the same word. */
  | { readonly kind: 'ending'; readonly word: string };

export type CatalogueQuestion = { readonly in: Path } & (
  | { readonly kind: 'names' }
  | { readonly kind: 'dataset' | 'view'; readonly name: string }
  | { readonly kind: 'rest'; readonly dataset: string; readonly about: OfRest }
);

/** Rare fields in one answer: a millisecond's work for whoever answers. */
const atOnce = 500;

export const shapeOf = ({ reference, view, inViews, inVirtualFields }: Catalogue): CatalogueShape => ({
  hasViews: view !== undefined,
  ...(reference !== undefined && { reference }),
  ...(inViews !== undefined && { inViews: shapeOf(inViews) }),
  ...(inVirtualFields !== undefined && { inVirtualFields: shapeOf(inVirtualFields) }),
});

/** Answers the questions of one compilation, with plain data. */
export class CatalogueAnswers {
  readonly #catalogue: Catalogue;
  readonly #listings = new Map<number, Iterator<Field | string>>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** @throws what the catalogue throws, such as a refusal */
  answer(question: CatalogueQuestion): unknown {
    const catalogue = question.in.reduce((outer, inner) => outer[inner]!, this.#catalogue);
    switch (question.kind) {
      case 'names':
        return catalogue.names;
      case 'view':
        return catalogue.view?.(question.name);
      case 'dataset':
        return plain(catalogue.dataset(question.name));
      case 'rest':
        return this.#ofRest(catalogue.dataset(question.dataset)!.rest!, question.about);
    }
  }

  #ofRest(rest: Rest, about: OfRest): unknown {
    switch (about.kind) {
      case 'has':
        return rest.fields.has(about.field);
      case 'some':
        return this.#some(about.listing, () => listed(rest.fields, about.of));
      case 'bag':
      case 'text':
        return rest[about.kind](about.without);
      case 'renamed':
        return rest.renamed(about.bag, about.names);
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

const listed = (fields: RareFields, of: Listed): Iterable<Field | string> =>
  of.kind === 'ending' ? fields.ending(of.word) : fields[of.kind]();

function plain(dataset: Dataset | undefined): PlainDataset | undefined {
  if (dataset === undefined) return undefined;
  const { rest, ...others } = dataset;
  return { ...others, hasRest: rest !== undefined };
}

/** The catalogue as a thread sees it. */
export function askingCatalogue(
  shape: CatalogueShape,
  ask: (question: CatalogueQuestion) => unknown,
  path: Path = [],
): Catalogue {
  const known = new Map<string, Dataset | undefined>();
  let names: readonly string[] | undefined;
  const dataset = (name: string): Dataset | undefined => {
    if (!known.has(name)) {
      const told = ask({ in: path, kind: 'dataset', name }) as PlainDataset | undefined;
      known.set(name, told && withRest(told, (about) => ask({ in: path, kind: 'rest', dataset: name, about })));
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
    ...(inViews !== undefined && { inViews: askingCatalogue(inViews, ask, [...path, 'inViews']) }),
    ...(inVirtualFields !== undefined && {
      inVirtualFields: askingCatalogue(inVirtualFields, ask, [...path, 'inVirtualFields']),
    }),
  };
}

let listings = 0;

function withRest({ hasRest, ...dataset }: PlainDataset, ask: (about: OfRest) => unknown): Dataset {
  if (!hasRest) return dataset;
  function* asked<T>(of: Listed): Generator<T> {
    const listing = listings++;
    for (;;) {
      const some = ask({ kind: 'some', of, listing }) as readonly T[];
      yield* some;
      if (some.length < atOnce) return;
    }
  }
  const fields: RareFields = {
    ending: (word) => asked<Field>({ kind: 'ending', word }),
    has: (field) => ask({ kind: 'has', field }) as boolean,
    all: () => asked<Field>({ kind: 'all' }),
    names: () => asked<string>({ kind: 'names' }),
  };
  return {
    ...dataset,
    rest: {
      fields,
      bag: (without) => ask({ kind: 'bag', without }) as Expr,
      text: (without) => ask({ kind: 'text', without }) as Expr,
      renamed: (bag, names) => ask({ kind: 'renamed', bag, names }) as Expr,
    },
  };
}
