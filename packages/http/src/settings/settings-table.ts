import { listeningSettings } from './listener-settings.js';
import { serverSettings } from './server-settings.js';
import { requestSettings } from './request-settings.js';
import { ingestSettings } from './ingest-settings.js';
import { engineSettings } from './engine-settings.js';
import { answerSettings } from './response-settings.js';
import { alertSettings } from './alert-settings.js';
import { clickhouseSettings } from './clickhouse-settings.js';
import { coldSettings } from './tiering-settings.js';
import { databaseSettings } from './database-settings.js';
import { otlpSettings } from './otlp-settings.js';
import { mcpSettings } from './mcp-settings.js';
import { nodeSettings } from './node-settings.js';
import { resourceSettings } from './resource-settings.js';
import { querySettings } from './query-settings.js';
import { consoleSettings } from './console-settings.js';
import type { SettingRecord } from './setting-types.js';
import { shipperSettings } from './shipper-settings.js';
import { socketSettings } from './socket-settings.js';
import { sourceSettings } from './source-settings.js';
import { storageSettings } from './storage-settings.js';

/**
 * Every setting, once. `requestsPerMinute` is the flag `--requests-per-minute` and the environment
 * variable `MILLRACE_REQUESTS_PER_MINUTE`; a flag wins over the environment. docs/settings.md is
 * written from this table.
 */
export const settingsTable = {
  ...listeningSettings,
  ...serverSettings,
  ...requestSettings,
  ...ingestSettings,
  ...storageSettings,
  ...shipperSettings,
  ...socketSettings,
  ...sourceSettings,
  ...otlpSettings,
  ...clickhouseSettings,
  ...coldSettings,
  ...databaseSettings,
  ...nodeSettings,
  ...consoleSettings,
  ...resourceSettings,
  ...engineSettings,
  ...querySettings,
  ...answerSettings,
  ...alertSettings,
  ...mcpSettings,
} as const satisfies Record<string, SettingRecord>;
