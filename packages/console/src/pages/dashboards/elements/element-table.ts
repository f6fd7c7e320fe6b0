import type { ElementKind } from './element-kind.js';
import { gauge } from './gauge.js';
import { heatmap } from './heatmap.js';
import { logStream } from './log-stream.js';
import { monitorList } from './monitor-list.js';
import { note } from './note.js';
import { pie } from './pie.js';
import { placeholder } from './placeholder.js';
import { scatter } from './scatter.js';
import { sectionHeader } from './section-header.js';
import { slo } from './slo.js';
import { smartFilter } from './smart-filter.js';
import { spacer } from './spacer.js';
import { statistic } from './statistic.js';
import { table } from './table.js';
import { timeSeries } from './time-series.js';
import { topList } from './top-list.js';

/** All element kinds by their type in documents. A kind is a file and a line here. */
export const elementTable: Readonly<Record<string, ElementKind>> = {
  TimeSeries: timeSeries,
  Statistic: statistic,
  TopK: topList,
  Table: table,
  Pie: pie,
  Heatmap: heatmap,
  Scatter: scatter,
  Gauge: gauge,
  LogStream: logStream,
  Note: note,
  MonitorList: monitorList,
  SLO: slo,
  SmartFilter: smartFilter,
  SectionHeader: sectionHeader,
  Spacer: spacer,
  Placeholder: placeholder,
};

export const kindOf = (type: string): ElementKind | undefined =>
  Object.hasOwn(elementTable, type) ? elementTable[type] : undefined;

export const sizeOf = (type: string): readonly [number, number] => kindOf(type)?.size ?? [6, 4];
