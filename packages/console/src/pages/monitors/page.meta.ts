import { BellRing } from 'lucide-react';
import { useFiringCount } from '../../data/alerts.js';
import type { PageMeta } from '../page-meta.js';

const needs = { org: 'monitors', action: 'read' } as const;

export const monitors: PageMeta = {
  id: 'monitors',
  title: 'Monitors',
  paths: ['monitors'],
  rail: { icon: BellRing, group: 'work', also: /^\/notifiers/, useBadge: useFiringCount },
  letter: 'm',
  needs,
  load: () => import('./list-page.js').then(({ MonitorsPage }) => MonitorsPage),
};

export const newMonitor: PageMeta = {
  id: 'new-monitor',
  title: 'New monitor',
  paths: ['monitors/new'],
  needs: { org: 'monitors', action: 'create' },
  subject: 'new monitors',
  load: () => import('./editor-page.js').then(({ NewMonitorPage }) => NewMonitorPage),
};

/** One monitor, linked from the list and from notifications. */
export const monitor: PageMeta = {
  id: 'monitor',
  title: 'Monitor',
  paths: ['monitors/$id'],
  inner: true,
  needs,
  load: () => import('./monitor-page.js').then(({ MonitorPage }) => MonitorPage),
};

export const editMonitor: PageMeta = {
  id: 'edit-monitor',
  title: 'Edit monitor',
  paths: ['monitors/$id/edit'],
  inner: true,
  needs: { org: 'monitors', action: 'update' },
  subject: 'changing monitors',
  load: () => import('./editor-page.js').then(({ EditMonitorPage }) => EditMonitorPage),
};

/** Silences and maintenance windows of monitors. */
export const silences: PageMeta = {
  id: 'silences',
  title: 'Silences',
  paths: ['monitors/silences'],
  needs,
  subject: 'silences',
  load: () => import('./silences/silences-page.js').then(({ SilencesPage }) => SilencesPage),
};

/** One incident of a monitor, linked from messages. */
export const incident: PageMeta = {
  id: 'incident',
  title: 'Incident',
  paths: ['monitors/$id/incidents/$incident'],
  inner: true,
  needs,
  subject: 'incidents',
  load: () => import('./incidents/incident-page.js').then(({ IncidentPage }) => IncidentPage),
};

/** Incidents of all monitors in the last 30 days. */
export const incidents: PageMeta = {
  id: 'incidents',
  title: 'Incidents',
  paths: ['monitors/incidents'],
  needs,
  subject: 'incidents',
  load: () => import('./incidents/incidents-page.js').then(({ IncidentsPage }) => IncidentsPage),
};

/** Objectives and their error budgets. */
export const slos: PageMeta = {
  id: 'slos',
  title: 'SLOs',
  paths: ['monitors/slos'],
  needs,
  subject: 'SLOs',
  load: () => import('./slos/slos-page.js').then(({ SlosPage }) => SlosPage),
};

/** Which notifiers monitors use. */
export const routes: PageMeta = {
  id: 'routes',
  title: 'Routes',
  paths: ['notifiers/routes'],
  needs: { org: 'notifiers', action: 'read' },
  subject: 'routes',
  load: () => import('./routes/routes-page.js').then(({ RoutesPage }) => RoutesPage),
};
