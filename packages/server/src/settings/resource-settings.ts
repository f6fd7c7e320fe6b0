import type { SettingRecord } from './setting-types.js';
import { GiB, KiB, MiB } from './setting-units.js';

/** How much there may be of what people and programs store besides events. */
export const resourceSettings = {
  maxResources: {
    type: 'integer',
    default: 10_000,
    min: 100,
    max: 10_000_000,
    doc: 'Most resources of each kind: datasets, users, tokens, roles, groups, views, virtual fields, saved queries, annotations, notifiers, and fields of each dataset that something is said about. Annotations that a monitor would make are left out beyond it.',
    reason: 'More than any organisation has; a script that goes wrong does not fill the memory of the server.',
  },
  maxResourceBytes: {
    type: 'bytes',
    default: 16 * MiB,
    min: 64 * KiB,
    max: 1024 * MiB,
    doc: 'What the resources of each kind may take together.',
    reason: 'They are kept in memory, because every query asks for them.',
  },
  maxDashboards: {
    type: 'integer',
    default: 1000,
    min: 1,
    max: 100_000,
    doc: 'Most dashboards.',
    reason: 'More than anybody looks at; a script that goes wrong does not fill the metadata.',
  },
  maxDashboardBytes: {
    type: 'bytes',
    default: 1 * MiB,
    min: 1 * KiB,
    max: 16 * MiB,
    doc: 'Longest document of a dashboard.',
    reason:
      'Real ones have some tens of KiB; fifty versions of each are kept, or fewer if they take more than twice this together.',
  },
  maxAllDashboardBytes: {
    type: 'bytes',
    default: 128 * MiB,
    min: 64 * KiB,
    max: 16 * GiB,
    doc: 'What the documents of all dashboards may take together.',
    reason: 'A thousand of more than a hundred KiB; they are part of the metadata, and of every backup.',
  },
} as const satisfies Record<string, SettingRecord>;
