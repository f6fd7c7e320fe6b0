import { ChevronDown, Database } from 'lucide-react';
import { useCatalog } from '../data/catalog.js';
import { countText } from '../data/format-units.js';
import { Button } from '../widgets/inputs/button.js';
import { Menu } from '../widgets/overlays/menu.js';
import styles from './dataset-picker.module.css';

/** Longer menus are slow and unreadable. */
const MAX_OFFERED = 200;

/** The dataset of a query, or of searches; a menu picks another. */
export function DatasetPicker({
  dataset,
  onDataset,
}: {
  readonly dataset: string | undefined;
  readonly onDataset: (name: string) => void;
}) {
  const all = useCatalog()?.datasets ?? [];
  return (
    <Menu
      label="Datasets"
      button={
        <Button
          small
          kind="quiet"
          className={styles.picker}
          label={dataset === undefined ? 'Datasets' : `Dataset: ${dataset}`}
        >
          <Database aria-hidden />
          <span className={styles.picked}>{dataset ?? 'Datasets'}</span>
          <ChevronDown aria-hidden />
        </Button>
      }
      groups={[
        {
          ...(all.length > MAX_OFFERED && { title: `${countText(all.length)} datasets; search with Ctrl+K` }),
          entries: all.slice(0, MAX_OFFERED).map(({ name }) => ({ id: name, title: name, run: () => onDataset(name) })),
        },
      ]}
    />
  );
}
