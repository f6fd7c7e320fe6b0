import { membersOf, type Members, numberMember, textMember } from '../document/document.js';

/** A Grafana dashboard as exported: only the properties that are read. */
export interface GrafanaDashboard {
  readonly title: string;
  readonly description: string | undefined;
  readonly panels: readonly Panel[];
  readonly variables: readonly Members[];
  readonly from: string;
  readonly to: string;
  /** Seconds, 0 for never. */
  readonly refresh: number;
}

/** A panel with its edges in rows and in 24 columns. */
export interface Panel extends Members {
  readonly type: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(membersOf) : []);

const COLUMNS = 24;

/** Reads an export, also one wrapped by the API; undefined if it is something else. */
export function grafanaDashboard(parsed: unknown): GrafanaDashboard | undefined {
  const outer = membersOf(parsed);
  const inner = membersOf(outer['dashboard']);
  const document = Array.isArray(inner['panels']) || Array.isArray(inner['rows']) ? inner : outer;
  const isGrafana = Array.isArray(document['panels']) || Array.isArray(document['rows']);
  if (!isGrafana || document['charts'] !== undefined) return undefined;
  const time = membersOf(document['time']);
  return {
    title: textMember(document, 'title') ?? 'Grafana dashboard',
    description: textMember(document, 'description'),
    panels: Array.isArray(document['panels'])
      ? placedPanels(listOf(document['panels']))
      : rowsOfPanels(listOf(document['rows'])),
    variables: listOf(membersOf(document['templating'])['list']),
    from: textMember(time, 'from') ?? 'now-1h',
    to: textMember(time, 'to') ?? 'now',
    refresh: secondsOf(textMember(document, 'refresh') ?? ''),
  };
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

function secondsOf(text: string): number {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(text) ?? [];
  return count === undefined ? 0 : Number(count) * SECONDS[unit!]!;
}

/** Panels of a collapsed row are inside it; what follows the row moves down by their height. */
function placedPanels(panels: readonly Members[]): readonly Panel[] {
  const placed: Panel[] = [];
  let shift = 0;
  for (const panel of panels.toSorted((a, b) => edgesOf(a).top - edgesOf(b).top)) {
    const own = placedPanel(panel, shift);
    placed.push(own);
    const inner = listOf(panel['panels']).map((each) => placedPanel(each, shift));
    placed.push(...inner);
    shift += Math.max(0, Math.max(...inner.map(({ bottom }) => bottom), own.bottom) - own.bottom);
  }
  return placed;
}

function edgesOf(panel: Members) {
  const grid = membersOf(panel['gridPos']);
  const left = Math.min(COLUMNS - 1, Math.max(0, numberMember(grid, 'x') ?? 0));
  const top = Math.max(0, numberMember(grid, 'y') ?? 0);
  const right = Math.min(COLUMNS, left + Math.max(1, numberMember(grid, 'w') ?? 12));
  return { left, top, right, bottom: top + Math.max(1, numberMember(grid, 'h') ?? 8) };
}

function placedPanel(panel: Members, shift: number): Panel {
  const edges = edgesOf(panel);
  return {
    ...panel,
    ...edges,
    type: textMember(panel, 'type') ?? '',
    top: edges.top + shift,
    bottom: edges.bottom + shift,
  };
}

/** Height of a row in old exports without one, in grid rows. */
const ROW_HEIGHT = 7;
/** Pixels of a grid row. */
const PIXELS = 38;

/** Before version 16 panels were in rows of 12 columns. */
function rowsOfPanels(rows: readonly Members[]): readonly Panel[] {
  const placed: Panel[] = [];
  let top = 0;
  for (const row of rows) {
    if (row['showTitle'] === true || row['collapse'] === true) {
      const title = textMember(row, 'title') ?? 'Section';
      placed.push({
        type: 'row',
        title,
        collapsed: row['collapse'] === true,
        left: 0,
        right: COLUMNS,
        top,
        bottom: top + 1,
      });
      top++;
    }
    const pixels = Number.parseInt(String(row['height'] ?? ''), 10);
    const height = pixels > 0 ? Math.max(2, Math.round(pixels / PIXELS)) : ROW_HEIGHT;
    let left = 0;
    for (const panel of listOf(row['panels'])) {
      const width = Math.min(COLUMNS, Math.max(2, 2 * (numberMember(panel, 'span') ?? 12)));
      if (left + width > COLUMNS) [left, top] = [0, top + height];
      const type = textMember(panel, 'type') ?? '';
      placed.push({ ...panel, type, left, right: left + width, top, bottom: top + height });
      left += width;
    }
    top += height;
  }
  return placed;
}
