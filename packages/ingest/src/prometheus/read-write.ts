import { httpError } from '@millrace/api/errors';
import { CorruptDataError } from '../bytes/corrupt-data-error.js';
import { MessageReader, type WriteSample } from './message-reader.js';
import { type NativeHistogram, readNativeHistogram } from './native-histogram.js';
import { Symbols } from './symbols.js';
import type { WriteRows, WrittenSeries } from './write-rows.js';

/** The two versions of the message. */
export type WriteVersion = 1 | 2;

/**
 * Reads a request of remote write:
 *
 *     prometheus.WriteRequest            1 timeseries, 3 metadata (skipped: it comes apart)
 *     TimeSeries                         1 labels {1 name, 2 value}, 2 samples, 4 histograms
 *
 *     io.prometheus.write.v2.Request     4 symbols, 5 timeseries
 *     TimeSeries                         1 labels (pairs of symbols), 2 samples, 3 histograms,
 *                                        5 metadata {1 type, 3 help, 4 unit}
 *
 * Exemplars and created timestamps are dropped.
 * @throws HttpError `invalid-events` for a damaged request
 */
export function readWrite(request: Uint8Array, version: WriteVersion, rows: WriteRows): void {
  try {
    const reader = new MessageReader(request);
    if (version === 1) readVersion1(reader, rows);
    else readVersion2(reader, rows);
  } catch (error) {
    if (!(error instanceof CorruptDataError)) throw error;
    throw httpError('invalid-events', { problem: `the body is no WriteRequest: ${error.message}` }, { cause: error });
  }
}

/** Field 1 with a length. */
const labelTag = 0x0a;

function readVersion1(reader: MessageReader, rows: WriteRows): void {
  const end = reader.length;
  reader.fields(end, 'WriteRequest', (number, tag) => {
    if (number !== 1) return false;
    rows.series(series1(reader, reader.part(tag, end, 'WriteRequest.timeseries')));
    return true;
  });
}

function series1(reader: MessageReader, end: number): WrittenSeries {
  const start = reader.at;
  const afterLabels = skipLabels(reader, end);
  // Labels may stand elsewhere too, though no sender does that.
  let areTogether = true;
  const samples: WriteSample[] = [];
  const histograms: NativeHistogram[] = [];
  reader.fields(end, 'TimeSeries', (number, tag) => {
    const part = (): number => reader.part(tag, end, `TimeSeries, field ${number}`);
    if (number === 1) {
      areTogether = false;
      return false;
    }
    if (number === 2) samples.push(reader.sample(part()));
    else if (number === 4) histograms.push(readNativeHistogram(reader, part()));
    else return false;
    return true;
  });
  return {
    bytes: areTogether ? { source: reader.source, start, end: afterLabels } : undefined,
    labels: () => readLabels(reader, start, end),
    samples,
    histograms,
  };
}

/** Moves after the labels at the beginning of a series; returns where that is. */
function skipLabels(reader: MessageReader, end: number): number {
  while (reader.at < end && reader.source.body[reader.at] === labelTag) reader.skipPart(end, 'TimeSeries.labels');
  return reader.at;
}

/** The labels of the series from `start` to `end`. */
function readLabels(reader: MessageReader, start: number, end: number): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  const { at } = reader;
  reader.at = start;
  reader.fields(end, 'TimeSeries', (number, tag) => {
    if (number !== 1) return false;
    readLabel(reader, reader.part(tag, end, 'TimeSeries.labels'), labels);
    return true;
  });
  reader.at = at;
  return labels;
}

function readLabel(reader: MessageReader, end: number, labels: Map<string, string>): void {
  let [name, value] = ['', ''];
  reader.fields(end, 'Label', (number, tag) => {
    if (number === 1) name = reader.text(tag, end, 'Label.name');
    else if (number === 2) value = reader.text(tag, end, 'Label.value');
    else return false;
    return true;
  });
  // An empty value means that the label is missing.
  if (value !== '') labels.set(name, value);
}

/** Symbols come first, as senders write them. */
function readVersion2(reader: MessageReader, rows: WriteRows): void {
  const symbols = new Symbols(reader.source);
  const end = reader.length;
  reader.fields(end, 'Request', (number, tag) => {
    if (number === 4) {
      const stop = reader.part(tag, end, 'Request.symbols');
      symbols.add(reader.at, stop);
      reader.at = stop;
    } else if (number === 5) rows.series(series2(reader, reader.part(tag, end, 'Request.timeseries'), symbols));
    else return false;
    return true;
  });
}

function series2(reader: MessageReader, end: number, symbols: Symbols): WrittenSeries {
  const labels: number[] = [];
  const samples: WriteSample[] = [];
  const histograms: NativeHistogram[] = [];
  const metadata = { type: 0, unit: 0 };
  reader.fields(end, 'TimeSeries', (number, tag) => {
    const part = (): number => reader.part(tag, end, `TimeSeries, field ${number}`);
    if (number === 1) reader.unsigneds(tag, end, 'TimeSeries.labels_refs', labels);
    else if (number === 2) samples.push(reader.sample(part()));
    else if (number === 3) histograms.push(readNativeHistogram(reader, part()));
    else if (number === 5) readMetadata(reader, part(), metadata);
    else return false;
    return true;
  });
  const { type, unit } = metadata;
  if (labels.length % 2 === 1) throw new CorruptDataError('labels_refs has a name without a value');
  return {
    bytes: symbols.join(labels),
    labels: () => labelsOf(labels, symbols),
    samples,
    histograms,
    metadata: { type, unit: symbols.text(unit) },
  };
}

function readMetadata(reader: MessageReader, end: number, metadata: { type: number; unit: number }): void {
  reader.fields(end, 'Metadata', (number, tag) => {
    if (number === 1) metadata.type = reader.readUnsigned(tag, end, 'Metadata.type');
    else if (number === 4) metadata.unit = reader.readUnsigned(tag, end, 'Metadata.unit_ref');
    else return false;
    return true;
  });
}

function labelsOf(references: readonly number[], symbols: Symbols): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (let i = 0; i < references.length; i += 2) {
    const value = symbols.text(references[i + 1]!);
    if (value !== '') labels.set(symbols.text(references[i]!), value);
  }
  return labels;
}
