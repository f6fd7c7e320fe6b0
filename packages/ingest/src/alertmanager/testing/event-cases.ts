import { expect } from 'vitest';
import type { EventCase } from '../../testing/event-cases.js';

const alerts = [
  {
    status: 'firing',
    labels: { alertname: 'High', service: 'web' },
    annotations: { summary: 'slow' },
    startsAt: '2026-09-21T14:13:20Z',
    endsAt: '0001-01-01T00:00:00Z',
    fingerprint: 'f1',
  },
  {
    status: 'resolved',
    labels: { alertname: 'High', service: 'db' },
    startsAt: '2026-09-21T14:13:20Z',
    endsAt: '2026-09-21T14:15:00Z',
    fingerprint: 'f2',
  },
];

export const alertmanagerCases: readonly EventCase[] = [
  {
    what: 'Alertmanager: an event for each alert, with receiver and group of the notification',
    path: '/v1/ingest/{dataset}/alertmanager',
    body: JSON.stringify({
      receiver: 'hook',
      status: 'firing',
      alerts,
      commonLabels: { alertname: 'High' },
      version: '4',
      groupKey: 'g',
      truncatedAlerts: 0,
    }),
    answer: { status: 200, text: expect.stringContaining('"ingested":2') },
    events: [
      {
        receiver: 'hook',
        groupKey: 'g',
        status: 'firing',
        'labels.alertname': 'High',
        'labels.service': 'web',
        'annotations.summary': 'slow',
        startsAt: '2026-09-21T14:13:20Z',
        fingerprint: 'f1',
      },
      {
        receiver: 'hook',
        groupKey: 'g',
        status: 'resolved',
        'labels.alertname': 'High',
        'labels.service': 'db',
        startsAt: '2026-09-21T14:13:20Z',
        endsAt: '2026-09-21T14:15:00Z',
        fingerprint: 'f2',
      },
    ],
  },
  {
    what: 'Alertmanager: a body without alerts',
    path: '/v1/ingest/{dataset}/alertmanager',
    body: '{"receiver":"hook"}',
    answer: { status: 400, text: expect.stringContaining('not a notification of Alertmanager') },
    events: [],
  },
];
