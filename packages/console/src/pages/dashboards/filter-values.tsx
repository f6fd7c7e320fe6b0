import type { ReactNode } from 'react';
import { useCatalog } from '../../data/catalog.js';
import { type ClickedValue, ValueMenu } from '../../rows/value-menu.js';
import { Chip } from '../../widgets/chip.js';
import { copyText } from '../../widgets/copy-text.js';
import styles from './dashboard.module.css';
import type { useBoardParams } from './dashboard-params.js';
import { addressOf, type ValueLink } from './document/value-links.js';
import { conditionOn, valueText } from './document/conditions.js';

/**
 * A click on a value filters the whole dashboard; active filters are listed above and can be
 * removed.
 */
export function BoardValues({
  params: { conditions, setConditions, asking },
  links,
  children,
}: {
  readonly params: ReturnType<typeof useBoardParams>;
  /** Links of the dashboard in the menu of a value. */
  readonly links: readonly ValueLink[];
  readonly children: ReactNode;
}) {
  const datasets = useCatalog()?.datasets ?? [];
  const isField = ({ field }: ClickedValue): boolean =>
    datasets.some(({ fields }) => fields.some(({ name }) => name === field));
  const narrow = (pointed: ClickedValue, how: 'include' | 'exclude'): void => {
    const condition = conditionOn(pointed, how);
    if (condition !== undefined) setConditions([...conditions, condition]);
  };
  return (
    <ValueMenu
      onQuick={(pointed, how) => isField(pointed) && narrow(pointed, how)}
      groupsOf={(pointed) => {
        const barred = isField(pointed) ? undefined : 'column computed by the query';
        const add = (how: 'include' | 'exclude') => () => narrow(pointed, how);
        return [
          {
            title: pointed.field,
            entries: [
              { id: 'include', title: 'Filter for value', run: add('include'), barred },
              { id: 'exclude', title: 'Filter out value', run: add('exclude'), barred },
              { id: 'copy', title: 'Copy value', run: () => void copyText(valueText(pointed), 'Copied') },
            ],
          },
          ...linkGroup(links, pointed, asking.range),
        ];
      }}
    >
      {conditions.length > 0 && (
        <ul className={styles.conditions} aria-label="Dashboard filters">
          {conditions.map((condition) => (
            <li key={condition.text}>
              <Chip
                tone="accent"
                removeLabel={`Remove ${condition.text}`}
                onRemove={() => setConditions(conditions.filter((each) => each !== condition))}
              >
                <code>{condition.text}</code>
              </Chip>
            </li>
          ))}
        </ul>
      )}
      {children}
    </ValueMenu>
  );
}

/** Links for a clicked value. They open in a new tab, so that the dashboard stays. */
function linkGroup(
  links: readonly ValueLink[],
  pointed: ClickedValue,
  range: { readonly from: string; readonly to: string },
) {
  const own = links.filter(({ field }) => field === pointed.field);
  if (own.length === 0) return [];
  const value = valueText(pointed);
  return [
    {
      title: 'Open',
      entries: own.map(({ title, url }, index) => ({
        id: `link-${index}`,
        title,
        run: () => void open(addressOf(url, { value, ...range }), '_blank', 'noopener,noreferrer'),
      })),
    },
  ];
}
