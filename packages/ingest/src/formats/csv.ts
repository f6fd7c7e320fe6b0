import { comma, csvDelimiter, type CsvOptions, encodeCsv, parseHeaderFields } from '@millrace/events';
import { mediaTypeOf } from '@millrace/http/body/media-type';
import type { BodyOptions } from '../encode-body.js';
import { jsonAsCsv, detectHeaderlessCsv } from '../content-sniffing.js';
import { refuseIf } from '../assert-valid.js';
import { type BodyFormat, threadFromBytes } from './format.js';

const mediaType = 'text/csv';

export const csvFormat: BodyFormat = {
  mediaTypes: [mediaType],
  detects: (contentType) => mediaTypeOf(contentType) === mediaType,
  threadFrom: threadFromBytes,
  encode(body, options, encodeOptions) {
    // If a header names the columns, a line may be any text, even JSON.
    if (options.csvFields === undefined) refuseIf(detectHeaderlessCsv(options.contentType) ?? jsonAsCsv(body));
    return encodeCsv(body, csvOptions(options), encodeOptions);
  },
};

function csvOptions({ csvDelimiter: delimiter, csvFields, limits }: BodyOptions): CsvOptions {
  const header =
    csvFields === undefined
      ? undefined
      : parseHeaderFields(Buffer.from(csvFields, 'latin1').toString(), limits.maxCsvColumns);
  return {
    delimiter: delimiter === undefined ? comma : csvDelimiter(delimiter),
    ...(header !== undefined && { header }),
  };
}
