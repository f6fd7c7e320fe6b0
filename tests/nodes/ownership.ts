import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { clickHouseLogin } from '../../packages/engine/src/testing/clickhouse.ts';
import { defaultSettings } from '@millrace/http/settings/settings';
import { joinCluster } from '@millrace/server/startup/node';
import { openEngine } from '@millrace/server/startup/open-engine';
import { openMetadataOrFail } from '@millrace/server/startup/open-metadata-database';
import { removeDirectory, temporaryDirectory } from '../support/server-process.ts';
import { cluster, isMissing } from './cluster.ts';

describe.skipIf(isMissing)('three nodes', () => {
  it('have databases that no server alone takes', async () => {
    const dataDir = temporaryDirectory();
    const { MILLRACE_CLICKHOUSE_URL: clickhouseUrl, MILLRACE_DATABASE_URL: databaseUrl } = cluster.places.settings;
    const { user: clickhouseUser, password: clickhousePassword } = clickHouseLogin;
    await expect(openMetadataOrFail(dataDir, databaseUrl!, 0)).rejects.toThrow(
      /start this node with MILLRACE_NODES=shared/,
    );
    const settings = defaultSettings({ dataDir, clickhouseUrl, clickhouseUser, clickhousePassword });
    await expect(openEngine(settings, pino({ level: 'silent' }))).rejects.toThrow(/belongs to another data directory/);
    // The attempts have left something that only a server alone has.
    await expect(joinCluster({ ...settings, databaseUrl }, pino({ level: 'silent' }))).rejects.toThrow(
      /has local events or metadata/,
    );
    removeDirectory(dataDir);
  });
});
