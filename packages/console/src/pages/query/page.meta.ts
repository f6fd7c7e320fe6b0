import { Search } from 'lucide-react';
import type { PageMeta } from '../page-meta.js';

export const query: PageMeta = {
  id: 'query',
  title: 'Query',
  paths: ['query'],
  rail: { icon: Search, group: 'work' },
  letter: 'q',
  load: () => import('./page.js').then(({ QueryPage }) => QueryPage),
};
