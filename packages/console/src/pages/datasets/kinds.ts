import type { Dataset } from '@millrace/client';

/** Names of dataset kinds. */
export const kinds: readonly { readonly id: Dataset['kind']; readonly title: string }[] = [
  { id: 'axiom:events:v1', title: 'Events' },
  { id: 'otel:logs:v1', title: 'OpenTelemetry logs' },
  { id: 'otel:traces:v1', title: 'OpenTelemetry traces' },
  { id: 'otel:metrics:v1', title: 'OpenTelemetry metrics' },
];

export const kindTitle = (kind: string): string => kinds.find(({ id }) => id === kind)?.title ?? kind;
