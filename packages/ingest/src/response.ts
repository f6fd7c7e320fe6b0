import { type Drop, type EncodeResult, OTHER_FIELD } from '@millrace/events';
import { formatRfc3339 } from '@millrace/timestamps';
import { Type, type Static } from 'typebox';
import { withTitle } from '@millrace/api/schemas/parts';

/**
 * Response to an ingest request. The first six properties are always present: one client has no
 * defaults for them.
 */
export const IngestStatus = withTitle(
  'IngestStatus',
  Type.Object({
    ingested: Type.Integer({ description: 'Events stored: on disk, fsynced, and seen by the next query.' }),
    failed: Type.Integer({ description: 'Number of rejected events.' }),
    failures: Type.Array(Type.Object({ timestamp: Type.String(), error: Type.String() })),
    processedBytes: Type.Integer({ description: 'Bytes of the decompressed body and of the labels.' }),
    blocksCreated: Type.Integer(),
    walLength: Type.Integer({ description: 'Bytes acknowledged but not flushed (at most 2^32 − 1).' }),
    messages: Type.Optional(
      Type.Array(
        Type.Object({ priority: Type.String(), code: Type.String(), count: Type.Integer(), msg: Type.String() }),
        { description: 'Only if values of stored events were dropped or renamed.' },
      ),
    ),
  }),
);
export type IngestStatus = Static<typeof IngestStatus>;

export function ingestStatus(encoded: EncodeResult, processedBytes: number, walLength: number): IngestStatus {
  return {
    ingested: encoded.ingested,
    failed: encoded.failed,
    failures: encoded.failures.map(({ time, error }) => ({ timestamp: formatRfc3339(time), error })),
    processedBytes,
    blocksCreated: encoded.ingested > 0 ? 1 : 0,
    // The Go client reads 32 bits, and would treat a larger number as a failure.
    walLength: Math.min(walLength, 2 ** 32 - 1),
    // Absent if empty: strict clients reject the key.
    ...(encoded.dropped.length + encoded.withOthers > 0 && {
      messages: [...encoded.dropped.map(messageOf), ...othersMessage(encoded.withOthers)],
    }),
  };
}

/** Combines the statuses of a request with events for several datasets. */
export function statusOfAll(all: readonly IngestStatus[]): IngestStatus {
  const [first] = all;
  if (all.length === 1) return first!;
  const sum = (of: (status: IngestStatus) => number): number => all.reduce((total, status) => total + of(status), 0);
  return {
    ingested: sum(({ ingested }) => ingested),
    failed: sum(({ failed }) => failed),
    failures: all.flatMap(({ failures }) => failures),
    processedBytes: first!.processedBytes,
    blocksCreated: sum(({ blocksCreated }) => blocksCreated),
    walLength: Math.max(...all.map(({ walLength }) => walLength)),
  };
}

const othersMessage = (count: number) =>
  count === 0
    ? []
    : [
        {
          priority: 'warn',
          code: 'fields_limit',
          count,
          msg: `too many different fields: further ones are stored in "${OTHER_FIELD}", one object for each event`,
        },
      ];

function messageOf({ field, reason, count }: Drop) {
  return {
    priority: 'warn',
    code: `schema_rules_drop:${field}`,
    count,
    msg: `field "${field}" dropped: ${why(reason)}`,
  };
}

function why(reason: Drop['reason']): string {
  switch (reason.kind) {
    case 'undeclared':
      return 'not in declared schema';
    case 'type':
      return `type rule violated (allowed ${reason.allowed.join('|')}, saw ${reason.saw})`;
    case 'name-too-long':
      return `its name is longer than ${reason.limit} bytes`;
  }
}
