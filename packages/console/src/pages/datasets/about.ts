import { Database } from 'lucide-react';
import type { PageAbout } from '../page-about.js';

export const datasets: PageAbout = {
  id: 'datasets',
  title: 'Datasets',
  paths: ['datasets', 'datasets/$name', 'datasets/$name/$tab'],
  rail: { icon: Database, group: 'work' },
  letter: 'd',
  load: () => import('./page.js').then(({ DatasetsPage }) => DatasetsPage),
};
