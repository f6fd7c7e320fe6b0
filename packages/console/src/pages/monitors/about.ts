import { BellRing } from 'lucide-react';
import { useFiringCount } from '../../data/alerts.js';
import type { PageAbout } from '../page-about.js';

const needs = { org: 'monitors', action: 'read' } as const;

export const monitors: PageAbout = {
  id: 'monitors',
  title: 'Monitors',
  paths: ['monitors'],
  rail: { icon: BellRing, group: 'work', useBadge: useFiringCount },
  letter: 'm',
  needs,
  load: () => import('./list-page.js').then(({ MonitorsPage }) => MonitorsPage),
};

export const newMonitor: PageAbout = {
  id: 'new-monitor',
  title: 'New monitor',
  paths: ['monitors/new'],
  needs: { org: 'monitors', action: 'create' },
  load: () => import('./editor-page.js').then(({ NewMonitorPage }) => NewMonitorPage),
};

/** One monitor: reached from the list, and from messages. */
export const monitor: PageAbout = {
  id: 'monitor',
  title: 'Monitor',
  paths: ['monitors/$id'],
  inner: true,
  needs,
  load: () => import('./monitor-page.js').then(({ MonitorPage }) => MonitorPage),
};

export const editMonitor: PageAbout = {
  id: 'edit-monitor',
  title: 'Edit monitor',
  paths: ['monitors/$id/edit'],
  inner: true,
  needs: { org: 'monitors', action: 'update' },
  load: () => import('./editor-page.js').then(({ EditMonitorPage }) => EditMonitorPage),
};
