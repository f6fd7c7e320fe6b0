import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components/Tabs';
import { cx } from './class-names.js';
import styles from './tabs.module.css';

interface TabEntry {
  readonly id: string;
  readonly title: ReactNode;
  readonly content: ReactNode;
}

/** Tabs; only the open panel is mounted. */
export const Tabs = ({
  label,
  tabs,
  open,
  onOpen,
  end,
  className,
}: {
  readonly label: string;
  readonly tabs: readonly TabEntry[];
  readonly open: string;
  readonly onOpen: (id: string) => void;
  /** Content next to the tabs, at the end. */
  readonly end?: ReactNode;
  readonly className?: string | undefined;
}) => (
  <AriaTabs className={cx(styles.tabs, className)} selectedKey={open} onSelectionChange={(key) => onOpen(String(key))}>
    <div className={styles.head}>
      <TabList aria-label={label} className={styles.list!}>
        {tabs.map(({ id, title }) => (
          <Tab key={id} id={id} className={styles.tab!}>
            {title}
          </Tab>
        ))}
      </TabList>
      {end}
    </div>
    {tabs.map(({ id, content }) => (
      <TabPanel key={id} id={id} className={styles.panel!}>
        {content}
      </TabPanel>
    ))}
  </AriaTabs>
);
