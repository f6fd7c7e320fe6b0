import { LayoutDashboard } from 'lucide-react';
import type { PageAbout } from '../page-about.js';

export const dashboards: PageAbout = {
  id: 'dashboards',
  title: 'Dashboards',
  paths: ['dashboards'],
  rail: { icon: LayoutDashboard, group: 'work' },
  letter: 'b',
  needs: { org: 'dashboards', action: 'read' },
  load: () => import('./list-page.js').then(({ DashboardsPage }) => DashboardsPage),
};

export const dashboard: PageAbout = {
  id: 'dashboard',
  title: 'Dashboard',
  paths: ['dashboards/$uid'],
  inner: true,
  needs: { org: 'dashboards', action: 'read' },
  load: () => import('./board-page.js').then(({ BoardPage }) => BoardPage),
};
