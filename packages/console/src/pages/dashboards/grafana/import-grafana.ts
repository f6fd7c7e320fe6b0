import { verticalCompactor } from 'react-grid-layout/core';
import { type BoardDocument, type Chart, COLUMNS, membersOf, type Members, textMember } from '../document/document.js';
import { emptyDocument } from '../document/records.js';
import type { GrafanaDashboard, Panel } from './documents.js';
import { panelKinds, unknownUnit } from './panel-kinds.js';
import { type PanelQuery, panelQuery } from './panel-queries.js';
import { filtersOf } from './variables.js';

/** Rows of a dashboard for a row of Grafana. */
const ROW_SHARE = 38 / 64;

interface ImportResult {
  readonly document: BoardDocument;
  readonly panels: number;
  /** Panels whose queries became APL. */
  readonly translated: number;
  /** What is different from the original, a sentence each. */
  readonly notes: readonly string[];
}

/** Converts a Grafana dashboard. Queries that it cannot translate to the dataset become notes. */
export function importGrafana(grafana: GrafanaDashboard, dataset: string): ImportResult {
  const notes: string[] = [];
  const charts: Chart[] = [];
  let translated = 0;
  const layout = grafana.panels.map((panel, index) => {
    const made = chartOf(panel, dataset, `panel-${index + 1}`, notes);
    if (made.hasQuery) translated++;
    charts.push(made.chart);
    return { i: made.chart.id, ...placeOf(panel) };
  });
  const { filters, left } = filtersOf(grafana.variables, dataset);
  if (left.length > 0) notes.push(`Variables without values: ${left.join(', ')}`);
  const bar: Chart[] = filters.length === 0 ? [] : [{ id: 'variables', type: 'SmartFilter', filters }];
  const below = layout.map((place) => ({ ...place, y: place.y + bar.length }));
  const places = [...bar.map(({ id }) => ({ i: id, x: 0, y: 0, w: COLUMNS, h: 1 })), ...below];
  const document: BoardDocument = {
    ...emptyDocument(grafana.title),
    ...(grafana.description !== undefined && { description: grafana.description }),
    charts: [...bar, ...charts],
    layout: verticalCompactor.compact(places, COLUMNS).map(({ i, x, y, w, h }) => ({ i, x, y, w, h })),
    refreshTime: grafana.refresh === 0 ? 0 : Math.max(15, grafana.refresh),
    timeWindowStart: windowText(grafana.from),
    timeWindowEnd: windowText(grafana.to),
  };
  const panels = grafana.panels.filter(({ type }) => type !== 'row').length;
  return { document, panels, translated, notes };
}

const windowText = (end: string): string => {
  if (end.startsWith('now')) return `qr-${end}`;
  const at = Date.parse(end);
  return Number.isNaN(at) ? 'qr-now' : String(at);
};

/** From 24 columns to 12, and to higher rows. Neighbors keep a common edge. */
function placeOf({ left, right, top, bottom }: Panel) {
  const x = Math.min(COLUMNS - 1, Math.floor(left / 2));
  const y = Math.round(top * ROW_SHARE);
  const w = Math.max(1, Math.min(COLUMNS, Math.floor(right / 2)) - x);
  return { x, y, w, h: Math.max(1, Math.round(bottom * ROW_SHARE) - y) };
}

function chartOf(
  panel: Panel,
  dataset: string,
  id: string,
  notes: string[],
): { readonly chart: Chart; readonly hasQuery: boolean } {
  const title = textMember(panel, 'title') ?? '';
  const description = textMember(panel, 'description');
  const common = { id, ...(title !== '' && { name: title }), ...(description !== undefined && { description }) };
  const shown = title === '' ? 'a panel' : `“${title}”`;
  const kind = Object.hasOwn(panelKinds, panel.type) ? panelKinds[panel.type] : undefined;
  if (kind === undefined) {
    notes.push(`${shown}: panels of type ${panel.type || 'unknown'} are not supported`);
    return { chart: { ...common, type: 'Note', text: `Panel of type \`${panel.type}\`` }, hasQuery: false };
  }
  const options = kind.options?.(panel) ?? {};
  if (kind.shape === undefined) return { chart: { ...common, type: kind.type, ...options }, hasQuery: false };
  const unit = unknownUnit(panel);
  if (unit !== undefined) notes.push(`${shown}: the unit ${unit} is not known`);
  const { query, left } = panelQuery(panel, dataset, kind.shape);
  if (query === undefined || !('apl' in query)) {
    notes.push(`${shown}: ${query === undefined ? 'no query' : query.reason}`);
    return { chart: { ...common, type: 'Note', text: noteOf(query) }, hasQuery: false };
  }
  if (left.length > 0) notes.push(`${shown}: only one of ${left.length + 1} queries is imported`);
  const merged: Members = { ...options, query: { ...membersOf(options['query']), apl: query.apl } };
  return { chart: { ...common, type: kind.type, ...merged }, hasQuery: true };
}

/** The original query, for the person who rewrites it. */
function noteOf(query: Exclude<PanelQuery, { readonly apl: string }> | undefined): string {
  if (query === undefined) return 'This panel has no query.';
  return `${query.reason}. The original query:\n\n\`\`\`\n${query.original}\n\`\`\``;
}
