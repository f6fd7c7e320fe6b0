import { functions as array } from './array/index.js';
import { functions as bins } from './bins.js';
import { functions as conditional } from './conditional.js';
import { functions as conversion } from './conversion/index.js';
import { functions as datetime } from './datetime/index.js';
import { withOverloads } from './define.js';
import type { OverloadedFunction } from './define.js';
import { functions as genai } from './genai/index.js';
import { functions as geo } from './geo.js';
import { functions as ip } from './ip/index.js';
import { functions as mathematical } from './mathematical/index.js';
import { scalarOperator } from './operators/index.js';
import { functions as hash } from './hash.js';
import { functions as pair } from './pair.js';
import { functions as rounding } from './rounding.js';
import { functions as row } from './row.js';
import { functions as sketches } from './sketches.js';
import { functions as sql } from './sql/index.js';
import { functions as string } from './string/index.js';
import { functions as timeseries } from './timeseries/index.js';
import { functions as type } from './type.js';

/**
 * The families and the group under which the reference lists each. A family is a file or folder
 * here that exports `functions`; it is added to this list.
 */
const families = [
  ['array', array],
  ['rounding', bins],
  ['conditional', conditional],
  ['conversion', conversion],
  ['datetime', datetime],
  ['genai', genai],
  ['geo', geo],
  ['hash', hash],
  ['ip', ip],
  ['mathematical', mathematical],
  ['pair', pair],
  ['rounding', rounding],
  ['row', row],
  ['sketch', sketches],
  ['sql', sql],
  ['string', string],
  ['timeseries', timeseries],
  ['type', type],
] as const;

export type FunctionGroup = (typeof families)[number][0];

const byGroup = families.map(([group, records]) => [group, records.map(withOverloads)] as const);

/** The functions of a group. */
export const functionsIn = (group: FunctionGroup): readonly OverloadedFunction[] =>
  byGroup.flatMap(([name, members]) => (name === group ? members : []));

export const functions: readonly OverloadedFunction[] = [
  scalarOperator('not'),
  ...byGroup.flatMap(([, members]) => members),
];

const byName: ReadonlyMap<string, OverloadedFunction> = new Map(
  functions.flatMap((record) => [record.name, ...(record.aliases ?? [])].map((name) => [name, record] as const)),
);

/** The function of that name or alias; names are case-sensitive. */
export const functionNamed = (name: string): OverloadedFunction | undefined => byName.get(name);

/** Every name that can be called, aliases included, for suggestions. */
export const functionNames = (): readonly string[] => [...byName.keys()];
