import type { Engine } from '@millrace/engine';
import { OVERFLOW_COLUMN, parsePhysicalName } from '@millrace/events';
import { quoteIdentifier } from '@millrace/sql';
import { Yielder } from '@millrace/runtime/async/yield';
import type { FieldAndType } from '../fields/fields.js';
import { quotedTable } from './table-of-dataset.js';

/** Bytes of names that are read per chunk: a millisecond's work. */
const bytesAtOnce = 64 * 1024;

/**
 * The fields and types with a value in the overflow column of a table, in chunks: there may be
 * millions. Reads the names in the column, not its values.
 */
export async function* usesInOverflow(engine: Engine, datasetId: number): AsyncGenerator<readonly FieldAndType[]> {
  const { body } = await engine.query(
    `SELECT DISTINCT arrayJoin(mapKeys(${quoteIdentifier(OVERFLOW_COLUMN)})) FROM ${quotedTable(datasetId)}`,
    { format: 'JSONCompactEachRow' },
  );
  const lines = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const yielder = new Yielder();
  for (let from = 0; from < lines.length;) {
    await yielder.maybeYield();
    const end = lines.indexOf(lineFeed, from + bytesAtOnce);
    const to = end < 0 ? lines.length : end;
    yield lines.toString('utf8', from, to).split('\n').flatMap(useOf);
    from = to + 1;
  }
}

const lineFeed = 0x0a;

function useOf(line: string): readonly FieldAndType[] {
  const [name = ''] = line === '' ? [] : (JSON.parse(line) as readonly string[]);
  const use = parsePhysicalName(name);
  return use === undefined ? [] : [use];
}
