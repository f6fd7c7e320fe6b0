import { useCatalog } from '../../../data/catalog.js';
import { Button } from '../../../widgets/inputs/button.js';
import { membersOf } from '../document/document.js';
import { withNew } from '../document/edits.js';
import { starterQuery } from '../document/starter-query.js';
import type { ElementKind } from '../elements/element-kind.js';
import { elementTable } from '../elements/element-table.js';
import styles from './gallery.module.css';
import { KindPicture } from './kind-pictures.js';
import type { Draft } from './use-draft.js';

/** Gallery of element kinds; a chosen one is added and opens in its editor. */
export function AddElement({ draft, onAdded }: { readonly draft: Draft; readonly onAdded: (id: string) => void }) {
  const datasets = useCatalog()?.datasets ?? [];
  const add = (type: string, kind: ElementKind): void => {
    const present = kind.isFirst === true ? draft.document.charts.find((chart) => chart.type === type) : undefined;
    if (present !== undefined) return onAdded(present.id);
    const apl = kind.asks ? starterQuery(draft.document, datasets, kind.begins) : '';
    const members = kind.asks ? { query: { ...membersOf(kind.starter['query']), apl } } : {};
    const { document, id } = withNew(draft.document, type, members);
    draft.change(() => document);
    onAdded(id);
  };
  return (
    <ul className={styles.gallery} aria-label="Kinds of elements">
      {Object.entries(elementTable).map(([type, kind], index) => (
        <li key={type}>
          <Button className={styles.kind} autoFocus={index === 0} onPress={() => add(type, kind)}>
            <KindPicture type={type} />
            <span className={styles.words}>
              <strong>{kind.title}</strong> <small>{kind.about}</small>
            </span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
