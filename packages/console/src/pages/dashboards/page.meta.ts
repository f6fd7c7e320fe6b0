import { LayoutDashboard } from 'lucide-react';
import type { PageMeta } from '../page-meta.js';

export const dashboards: PageMeta = {
  id: 'dashboards',
  title: 'Dashboards',
  paths: ['dashboards'],
  rail: { icon: LayoutDashboard, group: 'work' },
  letter: 'b',
  needs: { org: 'dashboards', action: 'read' },
  load: () => import('./list-page.js').then(({ DashboardsPage }) => DashboardsPage),
};

export const dashboard: PageMeta = {
  id: 'dashboard',
  title: 'Dashboard',
  paths: ['dashboards/$uid'],
  inner: true,
  needs: { org: 'dashboards', action: 'read' },
  load: () => import('./dashboard-page.js').then(({ BoardPage }) => BoardPage),
};
