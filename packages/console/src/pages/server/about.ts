import { Server } from 'lucide-react';
import type { PageAbout } from '../page-about.js';

export const server: PageAbout = {
  id: 'server',
  title: 'Server',
  paths: ['server'],
  rail: { icon: Server, group: 'server' },
  letter: 's',
  load: () => import('./page.js').then(({ ServerPage }) => ServerPage),
};
