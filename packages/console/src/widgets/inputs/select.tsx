import { ChevronDown } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';
import { cx } from '../class-names.js';
import field from './field.module.css';
import menu from '../overlays/menu.module.css';
import styles from './select.module.css';

interface Choice<T extends string> {
  readonly id: T;
  readonly title: string;
  readonly description?: string;
}

/** A choice from a short list. */
export function Select<T extends string>({
  label,
  value,
  choices,
  onChange,
  bare = false,
  className,
}: {
  readonly label: string;
  readonly value: T;
  readonly choices: readonly Choice<T>[];
  readonly onChange: (value: T) => void;
  readonly bare?: boolean;
  readonly className?: string | undefined;
}) {
  return (
    <AriaSelect
      className={cx(field.field, className)}
      value={value}
      onChange={(key) => onChange(key as T)}
      {...(bare && { 'aria-label': label })}
    >
      {!bare && <Label className={field.label!}>{label}</Label>}
      <Button className={styles.button!}>
        <SelectValue className={styles.value!}>
          {() => choices.find(({ id }) => id === value)?.title ?? value}
        </SelectValue>
        <ChevronDown aria-hidden />
      </Button>
      <Popover className={menu.popover!} offset={4}>
        <ListBox className={menu.menu!} items={choices}>
          {(choice) => (
            <ListBoxItem id={choice.id} textValue={choice.title} className={menu.item!}>
              <span className={menu.name}>{choice.title}</span>
              {choice.description !== undefined && <span className={menu.why}>{choice.description}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
