import type { ReactElement, ReactNode } from 'react';
import { Keyboard } from 'react-aria-components/Keyboard';
import { Header } from 'react-aria-components/Header';
import { Menu as AriaMenu, MenuItem, MenuSection, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { keyCaps } from '../../data/keys.js';
import { cx } from '../class-names.js';
import styles from './menu.module.css';

interface MenuEntry {
  readonly id: string;
  readonly title: string;
  readonly run: () => void;
  readonly keys?: string;
  readonly icon?: ReactNode;
  /** Reason why it is disabled. */
  readonly barred?: string | undefined;
  readonly danger?: boolean;
}

export interface MenuGroup {
  readonly title?: string;
  readonly entries: readonly MenuEntry[];
}

/** A button with a menu. */
export const Menu = ({
  button,
  groups,
  label,
}: {
  readonly button: ReactElement;
  readonly groups: readonly MenuGroup[];
  readonly label: string;
}) => (
  <MenuTrigger>
    {button}
    <Popover className={styles.popover!} offset={4}>
      <MenuList groups={groups} label={label} />
    </Popover>
  </MenuTrigger>
);

/** The menu alone, opened by another control. */
export const MenuList = ({ groups, label }: { readonly groups: readonly MenuGroup[]; readonly label: string }) => (
  <AriaMenu
    aria-label={label}
    className={styles.menu!}
    disabledKeys={groups.flatMap(({ entries }) => entries.filter(({ barred }) => barred).map(({ id }) => id))}
    onAction={(id) =>
      groups
        .flatMap(({ entries }) => entries)
        .find((each) => each.id === id)
        ?.run()
    }
  >
    {groups.map(({ title, entries }, index) => (
      <MenuSection
        key={title ?? index}
        className={styles.section!}
        {...(title === undefined && { 'aria-label': label })}
      >
        {title !== undefined && <Header className={styles.title!}>{title}</Header>}
        {entries.map((entry) => (
          <MenuItem
            key={entry.id}
            id={entry.id}
            textValue={entry.title}
            className={cx(styles.item, entry.danger && styles.danger)}
          >
            {entry.icon}
            <span className={styles.name}>{entry.title}</span>
            {entry.barred !== undefined && <span className={styles.why}>{entry.barred}</span>}
            {entry.keys !== undefined && <Keyboard className={styles.keys!}>{keyCaps(entry.keys).join(' ')}</Keyboard>}
          </MenuItem>
        ))}
      </MenuSection>
    ))}
  </AriaMenu>
);
