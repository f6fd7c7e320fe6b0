import { KeyRound } from 'lucide-react';
import type { PageAbout } from '../page-about.js';

/**
 * Who may do what. Each part says by itself what it needs, as somebody may see tokens and no users.
 */
export const access: PageAbout = {
  id: 'access',
  title: 'Access',
  paths: ['access', 'access/$tab'],
  rail: { icon: KeyRound, group: 'server' },
  letter: 'a',
  load: () => import('./page.js').then(({ AccessPage }) => AccessPage),
};
