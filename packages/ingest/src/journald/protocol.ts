import { bytes } from '@millrace/http/route';
import { EventLines } from '../event-lines.js';
import { threadFromBytes } from '../formats/format.js';
import type { Protocol } from '../protocol.js';
import { defaultErrors } from '../default-errors.js';
import { readEntries, completeEntries } from './parse-entries.js';

/**
 * The journal of systemd, as `systemd-journal-upload` sends it: a stream of entries in the export
 * format.
 */
export const journald: Protocol = {
  title: 'journald upload',
  // The program can only be configured with a URL.
  tokenIn: ['basic'],
  badToken: { status: 401 },
  errorForm: defaultErrors,
  format: {
    mediaTypes: [],
    detects: () => true,
    threadFrom: threadFromBytes,
    encode(body, { limits }, encodeOptions) {
      const lines = new EventLines(1.5 * body.length, limits.maxDecompressedBytes, encodeOptions);
      readEntries(body, lines);
      return lines.encode();
    },
  },
  endpoints: [
    {
      kind: 'stream',
      methods: ['POST'],
      path: '/v1/ingest/{dataset}/journald/upload',
      wholeEvents: completeEntries,
      answer: () => bytes('OK.\n', 'text/plain; charset=utf-8', 202),
    },
  ],
};
