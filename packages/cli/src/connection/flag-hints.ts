/** Server messages about request properties → the flags that set them. */
const phraseReplacements: readonly (readonly [said: RegExp, here: string])[] = [
  [/list datasets with GET \/v2\/datasets/, 'list datasets with millrace dataset list'],
  [
    /create it with POST \/v2\/datasets \{[^}]*\}/,
    'create it with millrace dataset create, or millrace ingest --create',
  ],
  [/^startTime (?=')/, '--start '],
  [/^endTime (?=')/, '--end '],
  [/^startTime is after endTime/, '--start is after --end'],
  [/^body 'maxDuration'/, 'DURATION'],
  [/^header 'idempotency-key'/, '--idempotency-key'],
  [/^header 'x-axiom-csv-fields'/, '--csv-fields'],
  [
    /(request body is larger than (\d+) bytes); split it into several requests$/,
    '$1; --request-size $2 sends smaller ones, though an event larger than that fails',
  ],
  // From a proxy: nginx accepts 1 MiB by default.
  [/^(the server answered 413 .*)$/, '$1; if a proxy sets that limit, --request-size 1MiB or less stays below it'],
  [/^(the request did not arrive in time)$/, '$1; on a slow line --concurrency 1 and a smaller --request-size help'],
  [/^timestamp-format:/, '--timestamp-format:'],
  [/; (?=timestamp-format, a Go layout)/, '; --'],
  [/\bCSV is sent with Content-Type: text\/csv/, '--type csv reads CSV'],
  [/\bsend Content-Type: application\/json/, 'leave out --type csv'],
  [/\bsend Content-Encoding: (gzip|zstd) with it/, '--encoding $1 unpacks it'],
];

/** Rewrites a server message in terms of flags. Unknown messages stay unchanged. */
export const inFlags = (message: string): string =>
  phraseReplacements.reduce((text, [phrase, here]) => text.replace(phrase, here), message);
