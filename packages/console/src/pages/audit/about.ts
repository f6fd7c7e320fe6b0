import { ScrollText } from 'lucide-react';
import type { PageAbout } from '../page-about.js';

export const audit: PageAbout = {
  id: 'audit',
  title: 'Audit',
  paths: ['audit'],
  rail: { icon: ScrollText, group: 'server' },
  needs: { org: 'auditLog', action: 'read' },
  load: () => import('./page.js').then(({ AuditPage }) => AuditPage),
};
