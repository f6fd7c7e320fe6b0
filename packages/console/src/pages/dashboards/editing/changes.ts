import { valueLinksOf } from '../document/value-links.js';
import { rangeTitle } from '../../../data/time/ranges.js';
import {
  type BoardDocument,
  type Chart,
  membersOf,
  type Members,
  nameOf,
  rangeOfWindow,
  shownName,
  textMember,
} from '../document/document.js';
import { kindOf } from '../elements/element-table.js';
import { columnOption } from '../elements/time-series-options.js';
import { type ElementOption, optionsOfKind } from './element-options.js';

/** Longer values are not quoted. */
const LONGEST_VALUE = 40;
/** More moved elements are only counted. */
const MAX_MOVED = 3;

const titleOf = (chart: Chart): string => {
  const kind = kindOf(chart.type)?.title ?? chart.type;
  const name = shownName(chart);
  return name === '' || name === kind ? kind : `${kind} “${name}”`;
};
const shortTitle = (chart: Chart): string => `“${shownName(chart) || (kindOf(chart.type)?.title ?? chart.type)}”`;
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What an edit changed, a sentence each; empty if nothing. */
export function changesBetween(before: BoardDocument, after: BoardDocument): readonly string[] {
  const found = [...settingChanges(before, after), ...elementChanges(before, after), ...placeChanges(before, after)];
  return found.length > 0 || isSame(before, after) ? found : ['Other properties changed'];
}

const rangeText = ({ timeWindowStart, timeWindowEnd }: BoardDocument): string =>
  rangeTitle(rangeOfWindow(timeWindowStart, timeWindowEnd), 'UTC');
const visibility = (document: BoardDocument): string =>
  (textMember(document, 'owner') ?? 'X-AXIOM-EVERYONE') === 'X-AXIOM-EVERYONE' ? 'everyone' : 'only its owner';
const refresh = ({ refreshTime }: BoardDocument): string => (refreshTime > 0 ? `${refreshTime} s` : 'never');

/** Settings of a dashboard with a title; the values are read from the document. */
const settings: readonly (readonly [names: readonly string[], title: string, read?: (of: BoardDocument) => string])[] =
  [
    [['name'], 'Name', ({ name }) => name],
    [['description'], 'Description'],
    [['owner'], 'Visible to', visibility],
    [['refreshTime'], 'Refresh interval', refresh],
    [['timeWindowStart', 'timeWindowEnd'], 'Default time range', rangeText],
    [['valueLinks'], 'Links of values', (document) => String(valueLinksOf(document).length)],
    [['against'], 'Comparison', (document) => textMember(document, 'against') ?? 'none'],
  ];

function settingChanges(before: BoardDocument, after: BoardDocument): readonly string[] {
  const known = new Set(['charts', 'layout', ...settings.flatMap(([names]) => names)]);
  const named = settings.flatMap(([names, title, read]) =>
    names.every((name) => isSame(before[name], after[name]))
      ? []
      : [read === undefined ? `${title} changed` : describeChange(title, read(before), read(after))],
  );
  const others = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !known.has(name) && !isSame(before[name], after[name]))
    .map((name) => `Property ${name} changed`);
  return [...named, ...others];
}

function describeChange(title: string, from: string, to: string): string {
  if (from.length > LONGEST_VALUE || to.length > LONGEST_VALUE) return `${title} changed`;
  return `${title}: ${from} → ${to}`;
}

function elementChanges(before: BoardDocument, after: BoardDocument): readonly string[] {
  const [earlier, later] = [before, after].map(({ charts }) => new Map(charts.map((chart) => [chart.id, chart])));
  return [
    ...after.charts.filter(({ id }) => !earlier!.has(id)).map((chart) => `${titleOf(chart)} added`),
    ...before.charts.filter(({ id }) => !later!.has(id)).map((chart) => `${titleOf(chart)} removed`),
    ...after.charts.flatMap((chart) => {
      const old = earlier!.get(chart.id);
      return old === undefined || isSame(old, chart) ? [] : chartChanges(old, chart);
    }),
  ];
}

function chartChanges(before: Chart, after: Chart): readonly string[] {
  const found: string[] = [];
  if (nameOf(before) !== nameOf(after)) found.push(`${titleOf(before)} renamed to “${shownName(after)}”`);
  if (before.type !== after.type)
    found.push(
      `${shortTitle(after)}: ${kindOf(before.type)?.title ?? before.type} → ${kindOf(after.type)?.title ?? after.type}`,
    );
  const [was, is] = [membersOf(before['query']), membersOf(after['query'])];
  if (was['apl'] !== is['apl']) found.push(`Query of ${shortTitle(after)} changed`);
  found.push(...filterChanges(before, after));
  for (const option of optionsOfKind(after.type, kindOf(after.type)?.asks === true)) {
    if (option.path[0] === 'name') continue;
    const [from, to] = [optionText(before, option), optionText(after, option)];
    if (from !== to) found.push(`${shortTitle(after)}: ${describeChange(option.label, from, to)}`);
  }
  return found.length > 0 ? found : [`Options of ${shortTitle(after)} changed`];
}

function optionText(chart: Chart, { path, choices, ofColumns }: ElementOption): string {
  const value =
    ofColumns === undefined
      ? path.reduce<unknown>((members, name) => membersOf(members)[name], chart)
      : columnOption(chart, ofColumns);
  if (value === undefined || value === null || value === '') return 'default';
  return choices?.find(({ id }) => id === String(value))?.title ?? String(value);
}

function filterChanges(before: Chart, after: Chart): readonly string[] {
  const [earlier, later] = [before, after].map(
    ({ filters }) =>
      new Map((Array.isArray(filters) ? filters : []).map((filter) => [membersOf(filter)['id'], membersOf(filter)])),
  );
  const title = (filter: Members): string => `Filter “${textMember(filter, 'name') ?? String(filter['id'])}”`;
  return [
    ...[...later!].filter(([id]) => !earlier!.has(id)).map(([, filter]) => `${title(filter)} added`),
    ...[...earlier!].filter(([id]) => !later!.has(id)).map(([, filter]) => `${title(filter)} removed`),
    ...[...later!]
      .filter(([id, filter]) => earlier!.has(id) && !isSame(earlier!.get(id), filter))
      .map(([, filter]) => `${title(filter)} changed`),
  ];
}

function placeChanges(before: BoardDocument, after: BoardDocument): readonly string[] {
  const places = new Map(before.layout.map((entry) => [entry.i, entry]));
  const titles = new Map(after.charts.map((chart) => [chart.id, shortTitle(chart)]));
  const found = after.layout.flatMap((entry) => {
    const old = places.get(entry.i);
    if (old === undefined) return [];
    const isMoved = old.x !== entry.x || old.y !== entry.y;
    const isResized = old.w !== entry.w || old.h !== entry.h;
    if (!isMoved && !isResized) return [];
    const verb = isMoved && isResized ? 'moved and resized' : isMoved ? 'moved' : 'resized';
    return [`${titles.get(entry.i) ?? entry.i} ${verb}`];
  });
  return found.length > MAX_MOVED ? [`${found.length} elements moved or resized`] : found;
}
