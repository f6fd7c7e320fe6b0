import { Activity } from 'lucide-react';
import type { PageMeta } from '../page-meta.js';

export const live: PageMeta = {
  id: 'live',
  title: 'Live',
  paths: ['tail'],
  rail: { icon: Activity, group: 'work' },
  letter: 'l',
  load: () => import('./page.js').then(({ LivePage }) => LivePage),
};
