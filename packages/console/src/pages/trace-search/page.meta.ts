import { Waypoints } from 'lucide-react';
import type { PageMeta } from '../page-meta.js';

/** Search for traces by their spans. */
export const traces: PageMeta = {
  id: 'traces',
  title: 'Traces',
  paths: ['traces'],
  rail: { icon: Waypoints, group: 'work', also: /^\/(services|trace\/)/ },
  letter: 't',
  load: () => import('./traces-page.js').then(({ TracesPage }) => TracesPage),
};

/** Metrics of the services that sent spans. */
export const services: PageMeta = {
  id: 'services',
  title: 'Services',
  paths: ['services'],
  load: () => import('./services-page.js').then(({ ServicesPage }) => ServicesPage),
};
