import { empty } from '@millrace/http/route';
import { mediaTypeOf } from '@millrace/http/body/media-type';
import { EventLines, member } from '../event-lines.js';
import { threadFromBytes } from '../formats/format.js';
import type { Protocol } from '../protocol.js';
import { nextFrame } from '../syslog/frames.js';
import { defaultErrors } from '../default-errors.js';

/**
 * Drains of Heroku: messages of syslog, each with its length before it, without structured data.
 * The native routes take them, too.
 */

const names = ['host', 'application', 'process', 'message'].map(member);
const timestamp = member('timestamp');
const [, , , message] = names;

function readFrames(body: Uint8Array, lines: EventLines): void {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  for (let at = 0; at < bytes.length;) {
    const frame = nextFrame(bytes, at) ?? { start: at, end: bytes.length, next: bytes.length };
    const text = bytes.toString('utf8', frame.start, frame.end);
    if (text.trim() !== '') writeFrame(text, lines);
    else if (frame.start > at) lines.fail(at, `byte ${at}: there is no message behind its length`);
    at = frame.next;
  }
}

/** `<PRIORITY>1 TIME HOST APP PROCESS - MESSAGE`. */
function writeFrame(text: string, lines: EventLines): void {
  const parts = /^<\d+>1 +(\S+) +(\S+) +(\S+) +(\S+) +\S+ ?([\s\S]*)$/.exec(text)?.slice(1);
  lines.begin();
  if (parts === undefined) lines.text(message!, text);
  else {
    const [time, ...rest] = parts;
    const json = Buffer.from(JSON.stringify(time));
    lines.time(timestamp, json, 0, json.length);
    rest.forEach((value, i) => lines.text(names[i]!, i === rest.length - 1 ? value.replace(/\n$/, '') : value));
  }
  lines.end();
}

export const heroku: Protocol = {
  title: 'Heroku logplex',
  tokenIn: ['basic'],
  badToken: { status: 401 },
  errorForm: defaultErrors,
  format: {
    mediaTypes: [],
    detects: (contentType) => mediaTypeOf(contentType) === 'application/logplex-1',
    threadFrom: threadFromBytes,
    encode(body, { limits }, encodeOptions) {
      const lines = new EventLines(1.5 * body.length, limits.maxDecompressedBytes, encodeOptions);
      readFrames(body, lines);
      return lines.encode();
    },
  },
  endpoints: [
    {
      kind: 'events',
      methods: ['POST'],
      path: '/v1/ingest/{dataset}/heroku',
      headers: ['logplex-frame-id', 'logplex-drain-token'],
      read: ({ headers }) => ({
        options: { contentType: 'application/logplex-1' },
        labels: { drainToken: headers['logplex-drain-token'] },
        requestId: headers['logplex-frame-id'],
      }),
      answer: () => empty(200),
    },
  ],
};
