import type { Engine } from '@millrace/engine';
import { EngineError } from '@millrace/engine';
import { quoteString } from '@millrace/sql';
import { isDatasetTable } from './all-tables.js';
import { queryRows } from './query.js';
import { quotedTable } from './table-of-dataset.js';

/** A part whose files do not have the checksums they were written with. */
export interface DamagedPart {
  readonly datasetId: number;
  readonly part: string;
  readonly reason: string;
}

/**
 * Reads the local files of the parts of datasets and compares their checksums. One part at a time,
 * so that other queries have their turn. Parts in object storage are left out: reading them costs
 * money, and the store has its own checksums.
 */
export async function checkFiles(engine: Engine, datasetIds: readonly number[]): Promise<readonly DamagedPart[]> {
  const damaged: DamagedPart[] = [];
  for (const datasetId of datasetIds) {
    const sql = `SELECT name FROM system.parts WHERE active AND disk_name = 'default' AND ${isDatasetTable(engine, 'table')} AND table = ${quoteString(`d${datasetId}`)} ORDER BY name`;
    for (const [part] of await queryRows<[string]>(engine, sql)) {
      const reason = await checkPart(engine, datasetId, part);
      if (reason !== undefined) damaged.push({ datasetId, part, reason });
    }
  }
  return damaged;
}

/** What is wrong with a part; undefined if nothing is, or if it was merged in the meantime. */
async function checkPart(engine: Engine, datasetId: number, part: string): Promise<string | undefined> {
  const sql = `CHECK TABLE ${quotedTable(datasetId)} PART ${quoteString(part)} SETTINGS check_query_single_value_result = 0`;
  try {
    const rows = await queryRows<[string, boolean | number, string]>(engine, sql);
    const failed = rows.find(([, passed]) => !passed);
    return failed === undefined ? undefined : reasonIn(failed[2]);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'corrupt') return reasonIn(error.detail);
    if (error instanceof EngineError && error.code === 'internal') return undefined;
    throw error;
  }
}

/** The reason in words of this server: text of the engine reaches no client. */
function reasonIn(text: string): string {
  const file = /\bfile (?:\S*\/)?([\w.%-]*\w)/i.exec(text)?.[1];
  const subject = file === undefined ? 'a file' : `the file ${file}`;
  if (/checksum/i.test(text)) return `${subject} does not match its checksum`;
  if (/no such file|n't exist|not exist|NO_FILE|missing/i.test(text)) return `${subject} is missing`;
  if (/size|EOF|read all data/i.test(text)) return `${subject} has the wrong size`;
  return `${subject} cannot be read`;
}
