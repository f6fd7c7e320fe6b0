import { Plus, Trash2 } from 'lucide-react';
import { Button, IconButton } from '../../../widgets/inputs/button.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import styles from '../dashboard.module.css';
import { isLinkAddress, type ValueLink } from '../document/value-links.js';

/** Links that the menu of a value has, by field. */
export function ValueLinkFields({
  links,
  onChange,
}: {
  readonly links: readonly ValueLink[];
  readonly onChange: (links: readonly ValueLink[]) => void;
}) {
  const change = (at: number, part: Partial<ValueLink>): void =>
    onChange(links.map((link, index) => (index === at ? { ...link, ...part } : link)));
  return (
    <fieldset className={styles.links}>
      <legend>Links of values</legend>
      {links.map((link, at) => (
        <div key={at} className={styles.link}>
          <TextField label="Field" mono value={link.field} onChange={(field) => change(at, { field })} />
          <TextField label="Title" value={link.title} onChange={(title) => change(at, { title })} />
          <IconButton label="Remove link" onPress={() => onChange(links.filter((_, index) => index !== at))}>
            <Trash2 />
          </IconButton>
          <TextField
            label="Address"
            mono
            value={link.url}
            placeholder="dashboards/services?f._service={value}"
            onChange={(url) => change(at, { url })}
            description="{value}, {from} and {to} are filled in"
            problem={
              link.url === '' || isLinkAddress(link.url) ? undefined : 'Enter a web address or a page of the console'
            }
          />
        </div>
      ))}
      <Button small onPress={() => onChange([...links, { field: '', title: '', url: '' }])}>
        <Plus aria-hidden /> Add a link
      </Button>
    </fieldset>
  );
}
