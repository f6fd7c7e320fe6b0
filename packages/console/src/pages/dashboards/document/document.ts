import { visibleText } from '../../../data/results/visible-text.js';
import { instantText, MILLISECOND, parseInstant } from '../../../data/time/instants.js';
import type { Range } from '../../../data/time/ranges.js';

/**
 * A dashboard document, which other programs may also write. Unknown properties are preserved, and
 * only the server validates: each element shows its own errors.
 */
export interface BoardDocument extends Members {
  readonly name: string;
  readonly charts: readonly Chart[];
  readonly layout: readonly LayoutEntry[];
  readonly refreshTime: number;
  readonly timeWindowStart: string;
  readonly timeWindowEnd: string;
}

export type Members = Readonly<Record<string, unknown>>;

export interface Chart extends Members {
  readonly id: string;
  readonly type: string;
}

interface LayoutEntry extends Members {
  readonly i: string;
  readonly x?: number | null;
  readonly y?: number | null;
  readonly w: number;
  readonly h: number;
}

/** Grid position of an element: in 12 columns, and rows. */
export interface Place {
  readonly i: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export const COLUMNS = 12;

export const membersOf = (value: unknown): Members => Object(value) as Members;

/** A string property, if it is one. */
export const textMember = (members: Members, name: string): string | undefined => {
  const value = members[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** Exported documents have booleans as strings. */
export const flagMember = (members: Members, name: string): boolean | undefined => {
  const value = members[name];
  return value === true || value === 'true' ? true : value === false || value === 'false' ? false : undefined;
};

export const numberMember = (members: Members, name: string): number | undefined => {
  const value = members[name];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

export const nameOf = (chart: Chart): string => textMember(chart, 'name') ?? '';

/** Name as displayed: control characters are marks. */
export const shownName = (chart: Chart): string => visibleText(nameOf(chart));

/** `qr-now-1h`, or milliseconds since the epoch as a string. */
const endOf = (text: string): string | undefined => {
  if (/^\d{9,16}$/.test(text)) return instantText(BigInt(text) * MILLISECOND);
  const plain = text.replace(/^qr-/, '');
  return plain.startsWith('now') || parseInstant(plain) !== undefined ? plain : undefined;
};

export const rangeOfWindow = (start: string, end: string): Range => ({
  from: endOf(start) ?? 'now-1h',
  to: endOf(end) ?? 'now',
});

/** Formats the displayed range for saving. */
export const windowEnd = (end: string): string =>
  end.startsWith('now') ? `qr-${end}` : String((parseInstant(end) ?? 0n) / MILLISECOND);

/** Range and comparison of an element, if it has its own. */
export function ownRange(chart: Chart): Range | undefined {
  if (flagMember(chart, 'overrideDashboardTimeRange') !== true) return undefined;
  const query = membersOf(chart['query']);
  const options = membersOf(query['queryOptions']);
  const quick = textMember(options, 'quickRange');
  if (quick !== undefined) return { from: `now-${quick.replace(/^(qr-)?now-/, '')}`, to: 'now' };
  const [start, end] = ['startTime', 'endTime'].map((name) => textMember(options, name) ?? textMember(query, name));
  return start === undefined || end === undefined ? undefined : rangeOfWindow(start, end);
}

export function ownComparison(chart: Chart): string | undefined {
  if (flagMember(chart, 'overrideDashboardCompareAgainst') !== true) return undefined;
  return textMember(membersOf(membersOf(chart['query'])['queryOptions']), 'against') ?? '';
}

/**
 * Query of an element, or the reason why there is none. With the name of a dataset of metrics, the
 * text of `apl` is MPL.
 */
export function queryOf(
  chart: Chart,
): { readonly apl: string } | { readonly mpl: string } | { readonly problem: string } {
  const query = membersOf(chart['query']);
  const apl = textMember(query, 'apl');
  const mpl = textMember(query, 'mpl') ?? (textMember(query, 'metricsDataset') === undefined ? undefined : apl);
  if (mpl !== undefined) return { mpl };
  return apl === undefined ? { problem: 'No query' } : { apl };
}

const whole = (value: unknown, fallback: number, min: number, max: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(max, Math.max(min, Math.round(value))) : fallback;

/** Positions of all elements; those without a complete position go below the others. */
export function placesOf(
  { charts, layout }: Pick<BoardDocument, 'charts' | 'layout'>,
  sizeOf: (type: string) => readonly [number, number],
): readonly Place[] {
  const entries = new Map(layout.map((entry) => [entry.i, entry]));
  const placed: Place[] = [];
  const later: Place[] = [];
  for (const { id, type } of charts) {
    const entry = entries.get(id);
    const [width, height] = sizeOf(type);
    const w = whole(entry?.w, width, 1, COLUMNS);
    const place = {
      i: id,
      w,
      h: whole(entry?.h, height, 1, 100),
      x: whole(entry?.x, 0, 0, COLUMNS - w),
      y: whole(entry?.y, 0, 0, 100_000),
    };
    (typeof entry?.y === 'number' ? placed : later).push(place);
  }
  let [x, row] = [0, placed.reduce((max, { y, h }) => Math.max(max, y + h), 0)];
  let tall = 0;
  for (const place of later) {
    if (x + place.w > COLUMNS) [x, row, tall] = [0, row + tall, 0];
    placed.push({ ...place, x, y: row });
    x += place.w;
    tall = Math.max(tall, place.h);
  }
  return placed;
}

/** Elements by section, from one header to the next. Those below a collapsed header are hidden. */
export function hiddenBy(
  charts: readonly Chart[],
  places: readonly Place[],
  isClosed: (header: Chart) => boolean,
): ReadonlySet<string> {
  const byId = new Map(charts.map((chart) => [chart.id, chart]));
  const hidden = new Set<string>();
  let closed = false;
  for (const { i } of places.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    const chart = byId.get(i)!;
    if (chart.type === 'SectionHeader') closed = isClosed(chart);
    else if (closed && chart.type !== 'SmartFilter') hidden.add(i);
  }
  return hidden;
}
