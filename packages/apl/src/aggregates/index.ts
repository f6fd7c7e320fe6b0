import { param } from '../functions/define.js';
import type { Arguments } from '../functions/define.js';
import { aggregates as bags } from './bags.js';
import { aggregates as collections } from './collections.js';
import { aggregates as counting } from './counting.js';
import type { AggregateOverload, AggregateRecord } from './define.js';
import { aggregates as extremes } from './extremes.js';
import { aggregates as numeric } from './numeric.js';
import { aggregates as phrases } from './phrases.js';
import { aggregates as presence } from './presence.js';
import { aggregates as quantiles } from './quantiles.js';
import { aggregates as rate } from './rate.js';
import { aggregates as sketches } from './sketches.js';
import { aggregates as spotlight } from './spotlight.js';

/** All aggregates. Each file of this folder exports a list of them, which is added here. */
export const aggregates: readonly AggregateRecord[] = [
  counting,
  numeric,
  quantiles,
  collections,
  bags,
  extremes,
  rate,
  phrases,
  presence,
  spotlight,
  sketches,
].flat();

/** An aggregate under one of its names: its own or its twin's. */
export interface NamedAggregate {
  readonly record: AggregateRecord;
  readonly name: string;
  readonly api: string;
  readonly overloads: readonly AggregateOverload[];
  /** Position of the predicate, -1 for the last argument; absent in the plain form. */
  readonly predicate?: number;
}

const byName: ReadonlyMap<string, NamedAggregate> = new Map(
  aggregates.flatMap((record): readonly (readonly [string, NamedAggregate])[] => {
    const { name, api, overloads, twin } = record;
    const plain = [name, { record, name, api, overloads }] as const;
    if (twin === undefined) return [plain];
    const { name: twinName, api: twinApi, predicate = -1 } = twin;
    return [
      plain,
      [twinName, { record, name: twinName, api: twinApi, overloads: twin.overloads ?? overloads, predicate }],
    ];
  }),
);

export const aggregateNamed = (name: string): NamedAggregate | undefined => byName.get(name);

export const aggregateNames = (): readonly string[] => [...byName.keys()];

/**
 * The overloads of an aggregate as it is called: those of a conditional twin such as `countif` have
 * its predicate inserted.
 */
export const overloadsOf = ({ overloads, predicate }: NamedAggregate): readonly Arguments[] =>
  predicate === undefined
    ? overloads
    : overloads.map(({ params, rest }) => ({
        params: params.toSpliced(predicate < 0 ? params.length : predicate, 0, param('predicate', 'bool')),
        ...(rest && { rest }),
      }));
