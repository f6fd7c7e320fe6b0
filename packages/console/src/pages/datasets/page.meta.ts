import { Database } from 'lucide-react';
import type { PageMeta } from '../page-meta.js';

export const datasets: PageMeta = {
  id: 'datasets',
  title: 'Datasets',
  paths: ['datasets', 'datasets/$name', 'datasets/$name/$tab'],
  rail: { icon: Database, group: 'work' },
  letter: 'd',
  load: () => import('./page.js').then(({ DatasetsPage }) => DatasetsPage),
};
