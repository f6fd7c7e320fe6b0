import { ChartSpline } from 'lucide-react';
import type { PageMeta } from '../page-meta.js';

/** Metrics of a dataset of metrics. */
export const metrics: PageMeta = {
  id: 'metrics',
  title: 'Metrics',
  paths: ['metrics'],
  rail: { icon: ChartSpline, group: 'work' },
  letter: 'e',
  load: () => import('./page.js').then(({ MetricsPage }) => MetricsPage),
};
