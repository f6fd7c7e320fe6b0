import { useCatalogue } from '../../../data/catalog.js';
import { Button } from '../../../widgets/inputs/button.js';
import styles from '../dashboard.module.css';
import { membersOf } from '../document/document.js';
import { starterQuery } from '../document/starter-query.js';
import { withNew } from '../document/edits.js';
import { elementTable } from '../elements/element-table.js';
import type { Draft } from './use-draft.js';

/** All kinds of elements; a chosen one is added and opens in its editor. */
export function AddElement({ draft, onAdded }: { readonly draft: Draft; readonly onAdded: (id: string) => void }) {
  const datasets = useCatalogue()?.datasets ?? [];
  return (
    <div className={styles.kinds}>
      {Object.entries(elementTable).map(([type, kind], index) => (
        <Button
          key={type}
          autoFocus={index === 0}
          onPress={() => {
            const present =
              kind.isFirst === true ? draft.document.charts.find((chart) => chart.type === type) : undefined;
            if (present !== undefined) return onAdded(present.id);
            const members = kind.asks
              ? {
                  query: {
                    ...membersOf(kind.starter['query']),
                    apl: starterQuery(draft.document, datasets, kind.begins),
                  },
                }
              : {};
            const { document, id } = withNew(draft.document, type, members);
            draft.change(() => document);
            onAdded(id);
          }}
        >
          {kind.title}
        </Button>
      ))}
    </div>
  );
}
