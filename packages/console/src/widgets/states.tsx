import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { isRefusal } from '../data/api.js';
import { missingPermission } from '../data/permissions.js';
import { Button } from './inputs/button.js';
import { CopyButton } from './copy-button.js';
import styles from './states.module.css';

/** Empty state: the reason, and what to do. */
export const EmptyState = ({
  title,
  children,
  actions,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}) => (
  <div className={styles.state}>
    <h2>{title}</h2>
    {children !== undefined && <div className={styles.text}>{children}</div>}
    {actions !== undefined && <div className={styles.actions}>{actions}</div>}
  </div>
);

/** Error state: what happened, what to do, and the trace ID for the server's log. */
export function ErrorState({
  title,
  error,
  onRetry,
  actions,
  isCompact = false,
}: {
  readonly title: string;
  readonly error: unknown;
  /** Above other content. */
  readonly isCompact?: boolean;
  readonly onRetry?: (() => void) | undefined;
  readonly actions?: ReactNode;
}) {
  const missing = isRefusal(error) ? missingPermission(error) : undefined;
  // Trying again does not help, and it is no failure of the server.
  if (missing !== undefined)
    return (
      <EmptyState title="No access" {...(actions !== undefined && { actions })}>
        {missing}
      </EmptyState>
    );
  const traceId = isRefusal(error) ? error.traceId : undefined;
  return (
    <div className={isCompact ? `${styles.state} ${styles.compact}` : styles.state} role="alert">
      <h2>
        <CircleAlert aria-hidden className={styles.icon} /> {title}
      </h2>
      <pre className={styles.message}>{errorText(error)}</pre>
      <div className={styles.actions}>
        {actions}
        {onRetry !== undefined && <Button onPress={onRetry}>Try again</Button>}
        {traceId !== undefined && (
          <span className={styles.trace}>
            Trace <code>{traceId}</code>
            <CopyButton text={traceId} label="Copy the trace id" />
          </span>
        )}
      </div>
    </div>
  );
}

/** Describes any error. */
export function errorText(error: unknown): string {
  const missing = isRefusal(error) ? missingPermission(error) : undefined;
  if (missing !== undefined) return missing;
  return error instanceof Error ? error.message : String(error);
}

/** Loading state; blank for 300 ms, since most loads are faster. */
export const LoadingNotice = ({ lines = 6 }: { readonly lines?: number }) => (
  <div className={styles.loading} role="status">
    <span className="unseen">Loading</span>
    {Array.from({ length: lines }, (_, line) => (
      <div key={line} className={styles.bone} style={{ width: `${[92, 71, 84, 60, 77, 66][line % 6]}%` }} />
    ))}
  </div>
);
