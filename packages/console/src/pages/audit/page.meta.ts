import { ScrollText } from 'lucide-react';
import type { PageMeta } from '../page-meta.js';

export const audit: PageMeta = {
  id: 'audit',
  title: 'Audit',
  paths: ['audit'],
  rail: { icon: ScrollText, group: 'server' },
  needs: { org: 'auditLog', action: 'read' },
  subject: 'the audit log',
  load: () => import('./page.js').then(({ AuditPage }) => AuditPage),
};
