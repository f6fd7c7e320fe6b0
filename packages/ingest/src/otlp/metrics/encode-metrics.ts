import { MAX_BODY_BYTES } from '@millrace/events';
import { CorruptDataError } from '../../bytes/corrupt-data-error.js';
import type { JsonBytes } from '../../bytes/json-bytes.js';
import type { FormatOptions, FormatResult } from '../../formats/format.js';
import type { DescribedTable } from '../../series/described-series.js';
import { encodeRows } from '../../series/encode-rows.js';
import { JsonReader } from '../json.js';
import { otlpFormatOf } from '../media-types.js';
import { envelopes } from '../messages.js';
import { ProtobufReader } from '../protobuf.js';
import { MalformedMessageError, type OtlpReader } from '../reader.js';
import { numberPlaces, piecesGrowth, convertOrRefuse, withPlace } from '../unpack.js';
import { Metric } from './messages.js';
import { MetricWriter } from './metric-writer.js';

interface MetricsOptions extends FormatOptions {
  readonly contentType: string;
  /** Maximum bytes of all rows together. */
  readonly maxEventBytes: number;
  readonly described?: DescribedTable;
}

/**
 * Encodes the metrics of an OTLP request as rows of points and series.
 * @throws HttpError when the request as a whole is invalid
 */
export function encodeMetrics(body: Uint8Array, options: MetricsOptions): FormatResult {
  const { contentType, limits, maxEventBytes, growing } = options;
  const limit = Math.min(maxEventBytes, MAX_BODY_BYTES);
  const format = otlpFormatOf(contentType);
  return convertOrRefuse('metrics', limit, (written, tooMany) => {
    const pieces = written(0, piecesGrowth * limit);
    return encodeRows({ max: limit, tooMany, growing }, options, (rows, rejected) => {
      const writer = new MetricWriter(rows, pieces, rejected.add);
      if (format === 'protobuf') readMetrics(new ProtobufReader(body, limits, pieces), writer, pieces, rejected.add);
      else readMetrics(new JsonReader(body, limits, pieces), writer, pieces, rejected.add);
    });
  });
}

/** Reads the metrics of a request, one at a time. */
export function readMetrics<S>(
  reader: OtlpReader<S>,
  writer: MetricWriter,
  pieces: JsonBytes,
  reject: (error: string) => void,
): void {
  const envelope = envelopes.metrics;
  const { resources } = reader.read(envelope.request, reader.root);
  for (const [r, at] of numberPlaces(resources)) {
    pieces.cutTo(0);
    const resource = withPlace(`resource ${r}`, () => reader.read(envelope.resource, at));
    const ofResource = writer.resourceTags(resource);
    for (const [s, at] of numberPlaces(resource.scopes)) {
      pieces.cutTo(0);
      const scope = withPlace(`resource ${r}, scope ${s}`, () => reader.read(envelope.scope, at));
      const common = writer.scopeTags(scope, ofResource);
      for (const [m, at] of numberPlaces(scope.records)) {
        pieces.cutTo(0);
        const place = `resource ${r}, scope ${s}, metric ${m}`;
        try {
          writer.metric(reader.read(Metric, at), common, place);
        } catch (error) {
          if (error instanceof CorruptDataError)
            throw new CorruptDataError(`${place}: ${error.message}`, { cause: error });
          if (!(error instanceof MalformedMessageError)) throw error;
          reject(`${place}: ${error.message}`);
        }
      }
    }
  }
}
