import type { Principal } from '../access/authorize.js';
import type { ErrorCode } from '@millrace/api/errors';

/** A change or rejection, as stored in the dataset `millrace-audit`. */
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
  /**
   * Object of the operation, if the path does not name it: the ID of a created or changed resource,
   * the query of a deletion, or a name.
   */
  readonly subject?: string;
  /** Error code of a rejection or failure. */
  readonly code?: ErrorCode;
  readonly message?: string;
  readonly actor: Actor;
  readonly address: string;
  readonly traceId: string;
}

interface Actor {
  readonly kind: Principal['kind'];
  readonly tokenId?: string;
  readonly tokenName?: string;
  readonly userId?: string;
  readonly sessionId?: string;
}

/** Receives audit events; must not throw and must not delay the request. */
export type AuditSink = (event: AuditEvent) => void;

/** The actor of a request, without capabilities. */
export function actorOf(principal: Principal): Actor {
  if (principal.kind === 'anonymous') return { kind: 'anonymous' };
  const { kind, tokenId, tokenName, userId, sessionId } = principal;
  return { kind, tokenId, tokenName, userId, ...(sessionId !== undefined && { sessionId }) };
}

/** The subject of a request, from its body or, if available, its response value. */
export function subjectOf(body: unknown, value?: unknown): string | undefined {
  return textIn(value, 'id') ?? textIn(body, 'apl') ?? textIn(body, 'name');
}

function textIn(value: unknown, name: 'id' | 'apl' | 'name'): string | undefined {
  if (typeof value !== 'object' || value === null || !(name in value)) return undefined;
  const member = (value as Readonly<Record<string, unknown>>)[name];
  return typeof member === 'string' ? member : undefined;
}
