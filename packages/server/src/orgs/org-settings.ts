import { join, resolve } from 'node:path';
import type { Settings } from '@millrace/http/settings/settings';

/** Organizations are many, and most are small: each has a part of the memory that the first has. */
const part = 8;
/** The log needs room for two segments. */
const segmentsOfLog = 4;

export const orgDirectory = (dataDir: string, id: string): string => join(resolve(dataDir), 'orgs', id);

/** The settings of the server as they apply to a further organization. */
export function settingsOfOrg(settings: Settings, id: string): Settings {
  const logSegmentBytes = Math.min(settings.logSegmentBytes, 16 * 2 ** 20);
  return {
    ...settings,
    dataDir: orgDirectory(settings.dataDir, id),
    logSegmentBytes,
    maxLogBytes: Math.max(settings.maxLogBytes / part, logSegmentBytes * segmentsOfLog),
    maxPendingBytes: Math.max(settings.maxPendingBytes / part, 16 * 2 ** 20),
    resultCacheBytes: settings.resultCacheBytes / part,
    wordMemoryBytes: settings.wordMemoryBytes / part,
    queryHistoryBytes: settings.queryHistoryBytes / part,
    // Public routes are those of the first, which does not know these links.
    messageLinks: 0,
    // These concern the first organization only.
    adminToken: undefined,
    provisionDir: undefined,
    selfMetrics: undefined,
  };
}
