import { Search } from 'lucide-react';
import type { PageAbout } from '../page-about.js';

export const query: PageAbout = {
  id: 'query',
  title: 'Query',
  paths: ['query'],
  rail: { icon: Search, group: 'work' },
  letter: 'q',
  load: () => import('./page.js').then(({ QueryPage }) => QueryPage),
};
