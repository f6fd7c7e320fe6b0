import { Search } from 'lucide-react';
import { sourceIn } from '../data/apl-text.js';
import { Button } from '../widgets/inputs/button.js';
import styles from './workbench.module.css';

/** Search text as the query that it runs. */
export const SearchOffer = ({ apl, onRun }: { readonly apl: string; readonly onRun: () => void }) => (
  <div className={styles.offer} role="status">
    <Button small kind="primary" onPress={onRun}>
      <Search aria-hidden /> Search {sourceIn(apl)} <kbd>Enter</kbd>
    </Button>
    <code className={styles.offered}>{apl.replaceAll('\n', ' ')}</code>
  </div>
);
