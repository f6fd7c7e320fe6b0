/** The parts of ECharts in use. Loaded after the first paint, with the first chart. */
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

/** Creates a chart in an element. */
export function chartIn(element: HTMLElement): EChartsType {
  // Called lazily: the bundler drops side effects of modules that are used only for their exports.
  use(parts);
  return init(element, undefined, { renderer: 'canvas' });
}

/** Charts of a group share the crosshair. */
export function connectCharts(group: string): void {
  connect(group);
}
