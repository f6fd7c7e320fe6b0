import { Button } from '../../../widgets/inputs/button.js';
import styles from '../board.module.css';
import { withNew } from '../document/edits.js';
import { elementTable } from '../elements/element-table.js';
import type { Draft } from './use-draft.js';

/** Every kind of element; one that is chosen appears below the others, and its editor opens. */
export const AddElement = ({ draft, onAdded }: { readonly draft: Draft; readonly onAdded: (id: string) => void }) => (
  <div className={styles.kinds}>
    {Object.entries(elementTable).map(([type, { title }], index) => (
      <Button
        key={type}
        autoFocus={index === 0}
        onPress={() => {
          const { document, id } = withNew(draft.document, type);
          draft.change(() => document);
          onAdded(id);
        }}
      >
        {title}
      </Button>
    ))}
  </div>
);
