import type { ReactNode } from 'react';
import { countText } from '../data/amounts.js';
import { cx } from './class-names.js';
import styles from './page.module.css';

/** What the line under the bar says about the page's query: it is the state of it. */
export type Flow = 'idle' | 'running' | 'partial' | 'failed' | 'live' | 'paused';

const flowWords: Readonly<Record<Flow, string>> = {
  idle: '',
  running: 'Running',
  partial: 'Stopped before it was complete',
  failed: 'Failed',
  live: 'Live',
  paused: 'Paused',
};

/** The frame of every page: one bar, the flow line, and the rest. */
export const Page = ({
  title,
  bar,
  flow = 'idle',
  children,
  scrolls = true,
  unseen = 0,
}: {
  readonly title: string;
  /** What stands in the bar, beside the title. */
  readonly bar?: ReactNode;
  readonly flow?: Flow;
  readonly children: ReactNode;
  /** False for pages whose parts scroll by themselves. */
  readonly scrolls?: boolean;
  /** How much has come that nobody has seen: it stands in the tab of the browser. */
  readonly unseen?: number;
}) => (
  <div className={styles.page}>
    <title>{`${unseen > 0 ? `(${countText(unseen)}) ` : ''}${title} · Millrace`}</title>
    <header className={styles.bar}>
      <h1 className={styles.title}>{title}</h1>
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
