import { Cable } from 'lucide-react';
import type { PageMeta } from '../page-meta.js';

export const sources: PageMeta = {
  id: 'sources',
  title: 'Sources',
  paths: ['sources'],
  rail: { icon: Cable, group: 'server' },
  needs: { org: 'integrations', action: 'read' },
  load: () => import('./page.js').then(({ SourcesPage }) => SourcesPage),
};
