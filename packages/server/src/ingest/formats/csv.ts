import { comma, csvDelimiter, type CsvOptions, encodeCsv, parseHeaderFields } from '@millrace/events';
import { mediaTypeOf } from '../../http/body/media-type.js';
import type { BodyOptions } from '../encode-body.js';
import { jsonAsCsv, namelessCsv } from '../mislabelled.js';
import { refuseIf } from '../refuse-if.js';
import { type BodyFormat, usualThreadFrom } from './format.js';

const mediaType = 'text/csv';

export const csvFormat: BodyFormat = {
  mediaTypes: [mediaType],
  detects: (contentType) => mediaTypeOf(contentType) === mediaType,
  threadFrom: usualThreadFrom,
  encode(body, options, encodeOptions) {
    // If the columns are named in a header, a line may be anything, even JSON to be kept as text.
    if (options.csvFields === undefined) refuseIf(namelessCsv(options.contentType) ?? jsonAsCsv(body));
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
