import { Random } from './random.js';

/**
 * The clients' events. Events derive only from the ID of their batch, so that they can be generated
 * again and compared with the stored ones.
 */

export interface Event {
  /** RFC 3339 with nanoseconds. */
  readonly _time: string;
  readonly batch: number;
  readonly row: number;
  /** Its sum shows whether all rows of a batch have the values they were sent with. */
  readonly n: number;
  readonly [field: string]: unknown;
}

export interface BatchShape {
  readonly seed: number;
  readonly id: number;
  readonly size: number;
}

/** Event times spread over this many days up to today. */
export const days = 3;
const dayMilliseconds = 86_400_000;
/** More field names than `column-budget` allows, so some are in the overflow column. */
const fieldNames = 6;

/**
 * A trim cuts at noon. No event is within two hours of that, because the cut is sent as an age and
 * moves while the request runs.
 */
const hours = [0, 1, 5, 9, 15, 20, 23];

const today = (): number => Math.floor(Date.now() / dayMilliseconds) * dayMilliseconds;

/**
 * The day from which all times of a campaign are counted, fixed because midnight may pass while it
 * runs.
 */
const campaignDay = today();

/** Noon of the day `daysBack` days ago, milliseconds since the epoch. */
export const noon = (daysBack: number): number => campaignDay - daysBack * dayMilliseconds + dayMilliseconds / 2;

/**
 * The size of a batch. Most are small, like those of applications; a few are as large as a
 * collector's.
 */
export function sizeOf(seed: number, id: number): number {
  const random = new Random(seed, 'size', id);
  switch (random.pickWeighted({ small: 68, middle: 27, large: 5 })) {
    case 'small':
      return random.between(1, 6);
    case 'middle':
      return random.between(20, 200);
    case 'large':
      return random.between(300, 1000);
  }
}

const valuesOf: Readonly<Record<string, (random: Random) => unknown>> = {
  integer: (random) => random.between(-1000, 1_000_000_000),
  float: (random) => random.between(-1000, 1000) + 0.25,
  string: (random) => `value ${random.between(0, 50)}`,
  boolean: (random) => random.chance(0.5),
  array: (random) => [random.between(0, 9), `item ${random.between(0, 9)}`, [random.chance(0.5)]],
  object: (random) => ({ a: random.between(0, 9), b: `inner ${random.between(0, 9)}` }),
};

/** All events of a batch, in order. */
export function eventsOf({ seed, id, size }: BatchShape): readonly Event[] {
  const random = new Random(seed, 'batch', id);
  const severalDays = random.chance(0.25);
  const day = random.between(0, days - 1);
  const mixed = random.pick(Object.keys(valuesOf));
  // Few fields per batch, different in every batch, so that the table keeps growing.
  const fields = Array.from({ length: random.between(0, 4) }, () => ({
    name: `field-${random.between(1, fieldNames)}`,
    type: random.pick(Object.keys(valuesOf)),
  }));
  const textLength = random.pickWeighted({ '0': 20, '40': 60, '900': 20 });
  return Array.from({ length: size }, (_, row) => {
    const event: Record<string, unknown> & Event = {
      _time: timeOf(severalDays ? random.between(0, days - 1) : day, random),
      batch: id,
      row,
      n: random.between(0, 1_000_000_000),
      word: `word-${random.between(0, 20)}`,
      text: `${id}.${row}.${'x'.repeat(Number(textLength))}`,
      nested: { deep: { value: random.between(0, 1000) }, flag: random.chance(0.5) },
      mixed: valuesOf[mixed]!(random),
    };
    for (const { name, type } of fields) if (random.chance(0.9)) event[name] = valuesOf[type]!(random);
    return event;
  });
}

function timeOf(daysBack: number, random: Random): string {
  const hour = random.pick(hours);
  const milliseconds = campaignDay - daysBack * dayMilliseconds + hour * 3_600_000 + random.between(0, 3_599_999);
  // Never ends in 0, because results omit trailing zeros.
  const nanoseconds = random.between(0, 99_999) * 10 + random.between(1, 9);
  return new Date(milliseconds).toISOString().replace('Z', `${String(nanoseconds).padStart(6, '0')}Z`);
}

/**
 * Canonical text, equal for an event as sent and for its row: nested fields by their paths, in
 * order of their names.
 */
export function canonical(event: Readonly<Record<string, unknown>>): string {
  const flat: [string, unknown][] = [];
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      if (value !== null && value !== undefined) flat.push([path, value]);
      return;
    }
    for (const [name, inner] of Object.entries(value)) walk(inner, path === '' ? name : `${path}.${name}`);
  };
  walk(event, '');
  return JSON.stringify(flat.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
