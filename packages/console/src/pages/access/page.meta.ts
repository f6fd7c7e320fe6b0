import { KeyRound } from 'lucide-react';
import type { PageMeta } from '../page-meta.js';

/** Access management. Each tab checks its own permission: a user may see tokens but not users. */
export const access: PageMeta = {
  id: 'access',
  title: 'Access',
  paths: ['access', 'access/$tab'],
  rail: { icon: KeyRound, group: 'server' },
  letter: 'a',
  load: () => import('./page.js').then(({ AccessPage }) => AccessPage),
};
