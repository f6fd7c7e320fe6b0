import { bytesField, numberField } from '@millrace/http/errors/protobuf-writer';

/** Bodies of protocols whose form is not plain to see. */

interface Stream {
  readonly labels: string;
  readonly lines: readonly string[];
  /** Seconds since the epoch. */
  readonly at?: number;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A push of Loki in protobuf. */
export const lokiPush = (streams: readonly Stream[]): Uint8Array =>
  Buffer.concat(
    streams.map(({ labels, lines, at = 1_790_000_000, metadata = {} }) =>
      bytesField(1, [
        bytesField(1, labels),
        ...lines.map((line, i) =>
          bytesField(2, [
            bytesField(1, [numberField(1, at + i), numberField(2, 5)]),
            bytesField(2, line),
            ...Object.entries(metadata).map(([name, value]) =>
              bytesField(3, [bytesField(1, name), bytesField(2, value)]),
            ),
          ]),
        ),
      ]),
    ),
  );

/** A delivery of Firehose. */
export const delivery = (records: readonly (string | Uint8Array)[], more: object = {}): string =>
  JSON.stringify({
    requestId: 'r',
    timestamp: 1_790_000_000_000,
    records: records.map((record) => ({ data: Buffer.from(record).toString('base64') })),
    ...more,
  });

/** A message with its length before it. */
export const frameMessage = (message: string): string => `${Buffer.byteLength(message)} ${message}`;

/** A notification of Alertmanager with these alerts. */
export const notification = (alerts: readonly string[]): string =>
  `{"receiver":"hook","status":"firing","alerts":[${alerts.join(',')}],"groupLabels":{},"groupKey":"{}:{}","externalURL":"http://am"}`;
