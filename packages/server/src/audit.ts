import type { Principal } from './access/allowed.js';
import type { ErrorCode } from './errors.js';

/** One change or refusal, as it is kept in the dataset `millrace-audit`. */
export interface AuditEvent {
  /** RFC 3339. */
  readonly _time: string;
  readonly outcome: 'changed' | 'refused' | 'failed';
  /** Name of the operation in the route table. */
  readonly operation: string;
  readonly method: string;
  /** Path as sent, without the query string. */
  readonly path: string;
  readonly status: number;
  /** Error code of a refusal or failure. */
  readonly code?: ErrorCode;
  readonly message?: string;
  readonly actor: Actor;
  readonly address: string;
  readonly traceId: string;
}

export interface Actor {
  readonly kind: Principal['kind'];
  readonly tokenId?: string;
  readonly tokenName?: string;
  readonly userId?: string;
}

/** Takes audit events; must not throw and must not keep the request waiting. */
export type AuditSink = (event: AuditEvent) => void;

/** Who did it, without what they may do. */
export function actorOf(principal: Principal): Actor {
  if (principal.kind === 'anonymous') return { kind: 'anonymous' };
  const { kind, tokenId, tokenName, userId } = principal;
  return { kind, tokenId, tokenName, userId };
}
