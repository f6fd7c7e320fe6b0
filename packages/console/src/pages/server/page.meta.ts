import { Server } from 'lucide-react';
import type { PageMeta } from '../page-meta.js';

export const server: PageMeta = {
  id: 'server',
  title: 'Server',
  paths: ['server'],
  rail: { icon: Server, group: 'server' },
  letter: 's',
  load: () => import('./page.js').then(({ ServerPage }) => ServerPage),
};
