import type { ReactNode } from 'react';
import { countText } from '../data/format-units.js';
import { visibleText } from '../data/results/visible-text.js';
import { cx } from './class-names.js';
import { UntrustedText } from './untrusted-text.js';
import styles from './page.module.css';

/** State of the page's query, shown by the line under the bar. */
export type Flow = 'idle' | 'running' | 'partial' | 'failed' | 'live' | 'paused';

const flowWords: Readonly<Record<Flow, string>> = {
  idle: '',
  running: 'Running',
  partial: 'Partial result',
  failed: 'Failed',
  live: 'Live',
  paused: 'Paused',
};

/** Frame of every page: title bar, progress line and content. */
export const Page = ({
  title,
  lead,
  bar,
  flow = 'idle',
  children,
  scrolls = true,
  unseen = 0,
}: {
  readonly title: string;
  /** Before the title, such as the way back to a list. */
  readonly lead?: ReactNode;
  /** Content of the bar, next to the title. */
  readonly bar?: ReactNode;
  readonly flow?: Flow;
  readonly children: ReactNode;
  /** False for pages whose parts scroll separately. */
  readonly scrolls?: boolean;
  /** Unread count, shown in the browser tab. */
  readonly unseen?: number;
}) => (
  <div className={styles.page}>
    <title>{`${unseen > 0 ? `(${countText(unseen)}) ` : ''}${visibleText(title)} · Millrace`}</title>
    <header className={styles.bar}>
      {lead}
      <h1 className={styles.title}>
        <UntrustedText text={title} />
      </h1>
      {bar}
    </header>
    <div className={cx(styles.flow, styles[flow])}>
      <span className="unseen" role="status">
        {flowWords[flow]}
      </span>
    </div>
    <main className={cx(styles.main, scrolls && styles.scrolls)} tabIndex={-1}>
      {children}
    </main>
  </div>
);

/** Pushes what follows to the end of the bar. */
export const BarSpace = () => <span className={styles.space} />;
