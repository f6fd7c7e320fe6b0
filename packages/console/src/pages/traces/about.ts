import { Waypoints } from 'lucide-react';
import type { PageAbout } from '../page-about.js';

/** Traces by what their spans did. */
export const traces: PageAbout = {
  id: 'traces',
  title: 'Traces',
  paths: ['traces'],
  rail: { icon: Waypoints, group: 'work' },
  letter: 't',
  load: () => import('./traces-page.js').then(({ TracesPage }) => TracesPage),
};

/** How the services are that sent spans. */
export const services: PageAbout = {
  id: 'services',
  title: 'Services',
  paths: ['services'],
  load: () => import('./services-page.js').then(({ ServicesPage }) => ServicesPage),
};
