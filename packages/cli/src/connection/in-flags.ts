/** What servers say about the parts of a request, and what a command line calls them. */
const spoken: readonly (readonly [said: RegExp, here: string])[] = [
  [/GET \/v2\/datasets lists those there are/, 'millrace dataset list shows those there are'],
  [/create it with POST \/v2\/datasets \{[^}]*\}/, 'create it with millrace dataset create'],
  [/^startTime (?=')/, '--start '],
  [/^endTime (?=')/, '--end '],
  [/^startTime is after endTime:/, '--start is after --end:'],
  [/^body 'maxDuration'/, 'DURATION'],
  [/^header 'idempotency-key'/, '--idempotency-key'],
  [/^header 'x-axiom-csv-fields'/, '--csv-fields'],
  [
    /(request body is larger than (\d+) bytes); send it in several requests$/,
    '$1; --request-size $2 sends smaller ones, though an event larger than that fails',
  ],
  // In the words of no server: nginx takes no more than 1 MiB unless it is told to.
  [/^(the server answered 413 .*)$/, '$1; if a proxy sets that limit, --request-size 1MiB or less stays below it'],
  [/^(the request did not arrive in time)$/, '$1; on a slow line --concurrency 1 and a smaller --request-size help'],
  [/^timestamp-format:/, '--timestamp-format:'],
  [/; (?=timestamp-format, a Go layout)/, '; --'],
  [/\bCSV is sent with Content-Type: text\/csv/, '--type csv reads CSV'],
  [/\bsend Content-Type: application\/json/, 'leave out --type csv'],
  [/\bsend Content-Encoding: (gzip|zstd) with it/, '--encoding $1 unpacks it'],
];

/**
 * A server's message to programs, for somebody who wrote a command. What it says of anything else,
 * and what other servers say, is left as it is.
 */
export const inFlags = (message: string): string =>
  spoken.reduce((text, [said, here]) => text.replace(said, here), message);
