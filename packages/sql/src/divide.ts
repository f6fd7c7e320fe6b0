import { item, select } from './build.js';
import { mapSelect, visitQuery } from './inner-queries.js';
import type { Query, Select } from './nodes.js';

/**
 * Divides a query whose tables are in several places: each place runs the parts over its own
 * tables, and a part's rows move to the query around it.
 */

/** A query over the tables of one place, and the parts whose rows it reads under a name. */
export interface DividedQuery {
  readonly query: Query;
  readonly place: number;
  readonly moved: readonly MovedQuery[];
}

export interface MovedQuery extends DividedQuery {
  readonly name: string;
}

type PlaceOf = (table: string) => number;

/** The names of a query's tables, at any level. */
export function tablesOf(query: Query): ReadonlySet<string> {
  const found = new Set<string>();
  visitQuery(query, { table: (name) => found.add(name) });
  return found;
}

/**
 * @param placeOf the place of a table
 * @param preferred where the query runs if none of its tables decides
 */
export function divideQuery(query: Query, placeOf: PlaceOf, preferred: number): DividedQuery {
  const columns = new Set<string>();
  let areKnown = true;
  visitQuery(query, { column: (name) => columns.add(name), unknown: () => (areKnown = false) });
  return new Divider(placeOf, areKnown ? columns : undefined).divide(query, preferred);
}

class Divider {
  readonly #placeOf: PlaceOf;
  /** Names of columns that any part of the query reads; undefined if they are not known. */
  readonly #columns: ReadonlySet<string> | undefined;
  #count = 0;

  constructor(placeOf: PlaceOf, columns: ReadonlySet<string> | undefined) {
    this.#placeOf = placeOf;
    this.#columns = columns;
  }

  divide(query: Query, preferred: number): DividedQuery {
    const moved: MovedQuery[] = [];
    const place = this.#ownPlace(query) ?? preferred;
    return { query: this.#inPlace(query, place, moved), place, moved };
  }

  #placesOf(query: Query): ReadonlySet<number> {
    return new Set([...tablesOf(query)].map(this.#placeOf));
  }

  /** The place where a query has to run: of its only tables, or of the one it reads itself. */
  #ownPlace(query: Query): number | undefined {
    const [place, ...others] = this.#placesOf(query);
    if (place !== undefined && others.length === 0) return place;
    if (query.kind === 'unionAll' || query.from?.kind !== 'table') return undefined;
    return query.from.database === undefined ? undefined : this.#placeOf(query.from.name);
  }

  #isAt(query: Query, place: number): boolean {
    return [...this.#placesOf(query)].every((one) => one === place);
  }

  /** The query with its parts from other places moved to this one. */
  #inPlace(query: Query, place: number, moved: MovedQuery[]): Query {
    if (this.#isAt(query, place)) return query;
    return query.kind === 'unionAll'
      ? this.#unionInPlace(query.queries, place, moved)
      : this.#selectInPlace(query, place, moved);
  }

  /** Moves the members of each place together. */
  #unionInPlace(members: readonly Query[], place: number, moved: MovedQuery[]): Query {
    const owners = members.map((member) => this.#ownPlace(member) ?? place);
    const queries = [...new Set(owners)].flatMap((owner): readonly Query[] => {
      const own = members.filter((_, i) => owners[i] === owner);
      if (owner === place) return own.map((member) => this.#inPlace(member, place, moved));
      const [only, ...others] = own;
      return [
        this.#move(only !== undefined && others.length === 0 ? only : { kind: 'unionAll', queries: own }, owner, moved),
      ];
    });
    const [only, ...others] = queries;
    return only !== undefined && others.length === 0 ? only : { kind: 'unionAll', queries };
  }

  #selectInPlace(query: Select, place: number, moved: MovedQuery[]): Select {
    return mapSelect(query, {
      source: (inner) => this.#inner(this.#withoutUnread(inner), place, moved),
      value: (inner) => this.#inner(inner, place, moved),
    });
  }

  #inner(query: Query, place: number, moved: MovedQuery[]): Query {
    const owner = this.#ownPlace(query) ?? place;
    return owner === place ? this.#inPlace(query, place, moved) : this.#move(query, owner, moved);
  }

  #move(query: Query, place: number, moved: MovedQuery[]): Select {
    const parts: MovedQuery[] = [];
    const name = `moved${++this.#count}`;
    moved.push({ name, query: this.#inPlace(query, place, parts), place, moved: parts });
    return select({ columns: [item({ kind: 'star' })], from: { kind: 'table', name } });
  }

  /** Without the columns that only the engine's planner would drop. Names are unique in a query. */
  #withoutUnread(query: Query): Query {
    const columns = this.#columns;
    if (query.kind === 'unionAll' || columns === undefined) return query;
    const read = query.columns.filter(({ alias }) => alias === undefined || columns.has(alias));
    return read.length === 0 ? query : { ...query, columns: read };
  }
}
