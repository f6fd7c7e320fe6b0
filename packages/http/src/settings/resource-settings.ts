import type { SettingRecord } from './setting-types.js';
import { GiB, KiB, MiB } from './setting-units.js';

/** Limits of stored resources other than events. */
export const resourceSettings = {
  maxResources: {
    type: 'integer',
    default: 10_000,
    min: 100,
    max: 10_000_000,
    doc: 'Maximum resources of each kind: datasets, users, tokens, roles, groups, views, virtual fields, saved queries, evaluation runs, annotations, notifiers, silences, acknowledgments, and described fields per dataset. At the limit, monitors create no annotations.',
    reason: 'More than any organization has; a faulty script cannot exhaust memory.',
  },
  maxOrgs: {
    type: 'integer',
    default: 20,
    min: 1,
    max: 1000,
    doc: 'Maximum organizations of the server, including the first. Further ones have a metadata file and a write-ahead log each; see docs/organizations.md.',
    reason: 'A script cannot create so many that their timers and files slow the server down.',
  },
  maxResourceBytes: {
    type: 'bytes',
    default: 16 * MiB,
    min: 64 * KiB,
    max: 1024 * MiB,
    doc: 'Maximum total size of the resources of each kind.',
    reason: 'They are in memory, because every query needs them.',
  },
  maxDashboards: {
    type: 'integer',
    default: 1000,
    min: 1,
    max: 100_000,
    doc: 'Maximum number of dashboards.',
    reason: 'More than any team uses; a faulty script cannot fill the metadata.',
  },
  maxDashboardBytes: {
    type: 'bytes',
    default: 1 * MiB,
    min: 1 * KiB,
    max: 16 * MiB,
    doc: 'Maximum size of a dashboard document.',
    reason:
      'Real ones have tens of KiB; 50 versions of each are stored, or fewer if they exceed twice this size together.',
  },
  maxAllDashboardBytes: {
    type: 'bytes',
    default: 128 * MiB,
    min: 64 * KiB,
    max: 16 * GiB,
    doc: 'Maximum total size of all dashboard documents.',
    reason: '1,000 dashboards of over 100 KiB; they are part of the metadata and of every backup.',
  },
} as const satisfies Record<string, SettingRecord>;
