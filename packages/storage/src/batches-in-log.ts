import type { Log } from '@millrace/log';
import { type Frame, noDataset, readFrame } from './frame.js';

/** A batch as it is read back from the log. */
interface LoggedBatch extends Frame {
  readonly position: bigint;
  readonly payloadBytes: number;
}

/** The batches in the log, in order, without marks. */
export async function* batchesIn(log: Log): AsyncGenerator<LoggedBatch, void, undefined> {
  for await (const { position, payload } of log.read()) {
    const frame = readFrame(payload);
    if (frame.datasetId !== noDataset) yield { ...frame, position, payloadBytes: payload.byteLength };
  }
}
