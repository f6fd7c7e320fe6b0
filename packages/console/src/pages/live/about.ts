import { Activity } from 'lucide-react';
import type { PageAbout } from '../page-about.js';

export const live: PageAbout = {
  id: 'live',
  title: 'Live',
  paths: ['tail'],
  rail: { icon: Activity, group: 'work' },
  letter: 'l',
  load: () => import('./page.js').then(({ LivePage }) => LivePage),
};
