import type { Monitor } from '@millrace/api/schemas/monitor';

/** How urgent a notification is. */
export type Severity = NonNullable<Monitor['severity']>;

const ranks = { info: 0, warning: 1, error: 2, critical: 3 } as const satisfies Record<Severity, number>;

/** Larger is more urgent and sent first. Stored with pending notifications. */
export const rankOf = (severity: Severity): number => ranks[severity];
