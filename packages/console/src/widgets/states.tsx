import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { isRefusal } from '../data/api.js';
import { Button } from './inputs/button.js';
import { CopyButton } from './copy-button.js';
import styles from './states.module.css';

/** Nothing is there: which nothing it is, and what to do about it. */
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

/** Something went wrong: what, what to do, and the id that finds it in the server's log. */
export function ErrorState({
  title,
  error,
  onRetry,
  actions,
}: {
  readonly title: string;
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
  readonly actions?: ReactNode;
}) {
  const traceId = isRefusal(error) ? error.traceId : undefined;
  return (
    <div className={styles.state} role="alert">
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

/** What to say about any failure. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** While the first answer is on its way; nothing for 300 ms, as most take less. */
export const Loading = ({ lines = 6 }: { readonly lines?: number }) => (
  <div className={styles.loading} role="status">
    <span className="unseen">Loading</span>
    {Array.from({ length: lines }, (_, line) => (
      <div key={line} className={styles.bone} style={{ width: `${[92, 71, 84, 60, 77, 66][line % 6]}%` }} />
    ))}
  </div>
);
