import { outline } from '@millrace/mpl/editor';
import { moveElement, verticalCompactor } from 'react-grid-layout/core';
import { type BoardDocument, type Chart, COLUMNS, membersOf, nameOf, type Place, placesOf } from './document.js';
import { kindOf, sizeOf } from '../elements/element-table.js';
import { withMember } from './with-member.js';

/** Document edits. Everything else stays unchanged, including unknown properties. */

const MAX_ROWS = 100;

/** Moves elements. Layout entries keep their other properties; elements without one get it. */
export function withPlaces(document: BoardDocument, places: readonly Place[]): BoardDocument {
  const before = new Map(document.layout.map((entry) => [entry.i, entry]));
  const isSame = places.every(({ i, x, y, w, h }) => {
    const entry = before.get(i);
    return entry !== undefined && entry.x === x && entry.y === y && entry.w === w && entry.h === h;
  });
  if (isSame && places.length === document.layout.length) return document;
  return { ...document, layout: places.map((place) => ({ ...before.get(place.i), ...place })) };
}

/** Moves or resizes an element by columns and rows; the others make room. */
export function movePlace(
  places: readonly Place[],
  id: string,
  by: { readonly x?: number; readonly y?: number; readonly w?: number; readonly h?: number },
): readonly Place[] {
  const layout = places.map((place) => ({ ...place }));
  const item = layout.find(({ i }) => i === id);
  if (item === undefined) return places;
  item.w = Math.max(1, Math.min(COLUMNS - item.x, item.w + (by.w ?? 0)));
  item.h = Math.max(1, Math.min(MAX_ROWS, item.h + (by.h ?? 0)));
  const x = Math.max(0, Math.min(COLUMNS - item.w, item.x + (by.x ?? 0)));
  const down = by.y ?? 0;
  // A step down into the neighbor below would be reverted: move by its height instead.
  const below = layout.filter((each) => each.i !== id && overlaps(each, item) && each.y >= item.y + item.h);
  const step = down > 0 && below.length > 0 ? below.reduce((min, each) => Math.min(min, each.h), MAX_ROWS) : down;
  const next = moveElement(layout, item, x, Math.max(0, item.y + step), true, false, 'vertical', COLUMNS);
  return verticalCompactor.compact(next, COLUMNS).map(({ i, x, y, w, h }) => ({ i, x, y, w, h }));
}

const overlaps = (a: Place, b: Place): boolean => a.x < b.x + b.w && b.x < a.x + a.w;

/** A free element ID. */
function freshId({ charts }: BoardDocument, type: string): string {
  const taken = new Set(charts.map(({ id }) => id));
  const stem = type.toLowerCase();
  for (let count = 1; ; count++) if (!taken.has(`${stem}-${count}`)) return `${stem}-${count}`;
}

/** Adds an element of a kind. */
export function withNew(
  document: BoardDocument,
  type: string,
  members: Readonly<Record<string, unknown>> = {},
): { readonly document: BoardDocument; readonly id: string } {
  const kind = kindOf(type);
  const id = freshId(document, type);
  const name = kind === undefined || kind.bare === true || !kind.asks ? {} : { name: kind.title };
  const chart: Chart = { id, type, ...name, ...kind?.starter, ...members };
  return { document: withChartPlaced(document, chart, sizeOf(type), kind?.isFirst), id };
}

/** Adds an element where there is room; one that belongs to the top moves the others down. */
function withChartPlaced(
  document: BoardDocument,
  chart: Chart,
  [w, h]: readonly [number, number],
  isFirst = false,
): BoardDocument {
  const places = placesOf(document, sizeOf);
  const others = isFirst ? places.map((place) => ({ ...place, y: place.y + h })) : places;
  const room = isFirst ? { x: 0, y: 0 } : roomFor(places, w, h);
  return {
    ...document,
    charts: [...document.charts, chart],
    layout: [...withPlaces(document, others).layout, { i: chart.id, ...room, w, h }],
  };
}

/** The first gap that is large enough, otherwise below all elements. */
function roomFor(places: readonly Place[], w: number, h: number): { readonly x: number; readonly y: number } {
  const end = places.reduce((max, each) => Math.max(max, each.y + each.h), 0);
  const isFree = (x: number, y: number): boolean =>
    places.every((each) => x >= each.x + each.w || x + w <= each.x || y >= each.y + each.h || y + h <= each.y);
  for (let y = 0; y < end; y++) for (let x = 0; x + w <= COLUMNS; x++) if (isFree(x, y)) return { x, y };
  return { x: 0, y: end };
}

/** Duplicates an element. */
export function withDuplicate(document: BoardDocument, id: string): BoardDocument {
  const chart = document.charts.find((each) => each.id === id);
  const place = placesOf(document, sizeOf).find(({ i }) => i === id);
  if (chart === undefined || place === undefined) return document;
  const name = nameOf(chart);
  const copy = { ...chart, id: freshId(document, chart.type), ...(name !== '' && { name: `${name} (copy)` }) };
  return withChartPlaced(document, copy, [place.w, place.h]);
}

export const removeElement = (document: BoardDocument, id: string): BoardDocument => ({
  ...document,
  charts: document.charts.filter((chart) => chart.id !== id),
  layout: document.layout.filter(({ i }) => i !== id),
});

/** Replaces an element; keeps its ID. */
export const withChart = (document: BoardDocument, id: string, chart: Chart): BoardDocument => ({
  ...document,
  charts: document.charts.map((each) => (each.id === id ? { ...chart, id } : each)),
});

/** Changes the query of an element, and the copy that exported documents have for their editor. */
export function withQuery(chart: Chart, text: string, language: 'apl' | 'mpl' = 'apl'): Chart {
  const { apl: before, mpl, metricsDataset, queryOptions } = membersOf(chart['query']);
  // Other programs write MPL into `apl`, next to the name of its dataset.
  const isNamed = language === 'mpl' && mpl === undefined && metricsDataset !== undefined;
  const isCopied = before !== undefined && membersOf(queryOptions)['editorContent'] === before;
  const changes: readonly (readonly [readonly string[], unknown])[] = [
    [['query', isNamed ? 'apl' : language], text],
    ...(isCopied ? [[['query', 'queryOptions', 'editorContent'], text] as const] : []),
    ...(language === 'apl' && mpl !== undefined ? [[['query', 'mpl'], undefined] as const] : []),
    ...(language === 'mpl' && !isNamed && before !== undefined ? [[['query', 'apl'], undefined] as const] : []),
    ...(metricsDataset === undefined
      ? []
      : [
          [['query', 'metricsDataset'], isNamed ? (outline(text)?.dataset.text ?? metricsDataset) : undefined] as const,
        ]),
  ];
  return changes.reduce<Chart>((next, [path, value]) => withMember(next, path, value) as Chart, chart);
}
