import { Button } from '../../../widgets/inputs/button.js';
import styles from '../query.module.css';
import type { QueryStateAccess } from '../query-state.js';
import type { Result } from '../use-result.js';
import { CopyMenu } from './copy-menu.js';
import { selectedPair } from './selected-pair.js';
import type { RowPointer } from './use-row-pointer.js';

/** Actions on the selected rows. */
export function SelectionBar({
  access,
  result,
  pointer: { selected, clear },
  onCompare,
}: {
  readonly access: QueryStateAccess;
  readonly result: Result;
  readonly pointer: RowPointer;
  readonly onCompare: () => void;
}) {
  return (
    <div className={styles.strip}>
      <CopyMenu access={access} result={result} selected={selected} />
      <Button
        small
        disabled={selectedPair(selected) === undefined}
        hint="Compare the two selected rows (D)"
        onPress={onCompare}
      >
        Compare
      </Button>
      <Button small kind="quiet" onPress={clear}>
        Select none
      </Button>
    </div>
  );
}
