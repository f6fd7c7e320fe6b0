import { Check, ChevronDown } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';
import { cx } from '../class-names.js';
import field from './field.module.css';
import menu from '../overlays/menu.module.css';
import styles from './select.module.css';

/** Several choices from a list; without one, all count. The list stays open while choosing. */
export function MultiSelect({
  label,
  values,
  choices,
  titleOf = (id) => id,
  all,
  onChange,
}: {
  readonly label: string;
  readonly values: readonly string[];
  readonly choices: readonly string[];
  readonly titleOf?: (id: string) => string;
  /** Title without a choice. */
  readonly all: string;
  readonly onChange: (values: readonly string[]) => void;
}) {
  const [first, ...others] = values;
  const items = choices.map((id) => ({ id }));
  return (
    <AriaSelect
      className={field.field!}
      selectionMode="multiple"
      value={[...values]}
      onChange={(keys) => onChange((keys as readonly string[]).map(String))}
    >
      <Label className={field.label!}>{label}</Label>
      <Button className={styles.button!}>
        <SelectValue className={styles.value!}>
          {() =>
            first === undefined ? all : others.length === 0 ? titleOf(first) : `${titleOf(first)} + ${others.length}`
          }
        </SelectValue>
        <ChevronDown aria-hidden />
      </Button>
      <Popover className={menu.popover!} offset={4}>
        <ListBox className={menu.menu!} items={items}>
          {({ id }) => (
            <ListBoxItem id={id} textValue={titleOf(id)} className={cx(menu.item, styles.choice)}>
              {({ isSelected }) => (
                <>
                  <span className={styles.check}>{isSelected && <Check aria-hidden />}</span>
                  <span className={menu.name}>{titleOf(id)}</span>
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
        {values.length > 0 && (
          <Button slot={null} className={cx(menu.item, styles.clear)} onPress={() => onChange([])}>
            {all}
          </Button>
        )}
      </Popover>
    </AriaSelect>
  );
}
