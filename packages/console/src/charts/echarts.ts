/**
 * The parts of ECharts that are used, and no others. Loaded after the first paint, with the view
 * that needs it.
 */
import { BarChart, LineChart, ScatterChart } from 'echarts/charts';
import {
  AriaComponent,
  BrushComponent,
  GridComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TooltipComponent,
} from 'echarts/components';
import { connect, type EChartsType, init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';

const parts = [
  LineChart,
  BarChart,
  ScatterChart,
  GridComponent,
  TooltipComponent,
  BrushComponent,
  AriaComponent,
  MarkAreaComponent,
  MarkLineComponent,
  CanvasRenderer,
];

/** A chart in an element. */
export function chartIn(element: HTMLElement): EChartsType {
  // At a call: what a module does when it is loaded, the bundler leaves out as long as only its
  // exports are used.
  use(parts);
  return init(element, undefined, { renderer: 'canvas' });
}

/** Charts of a group share the line that follows the pointer. */
export function connectCharts(group: string): void {
  connect(group);
}
