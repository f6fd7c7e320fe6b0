import { ArrowRightLeft, Search, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { sourceIn } from '../data/apl-text.js';
import { Button } from '../widgets/inputs/button.js';
import type { Offer } from './use-search-text.js';
import styles from './workbench.module.css';

/** Text that is no APL as the query that it runs, or the part that cannot be translated. */
export function SearchOffer({ offer, onRun }: { readonly offer: Offer; readonly onRun: (apl: string) => void }) {
  if (offer.kind === 'search')
    return (
      <Runnable apl={offer.apl} onRun={onRun}>
        <Search aria-hidden /> Search {sourceIn(offer.apl)}
      </Runnable>
    );
  const { translation } = offer;
  if ('part' in translation)
    return (
      <div className={styles.offer} role="status">
        <span className={styles.untranslated}>
          <TriangleAlert aria-hidden /> Could not translate this part of the {translation.language}. Write it in APL:
        </span>
        <code className={styles.offered}>{translation.part}</code>
        {translation.elsewhere !== undefined && <span className={styles.offerNote}>{translation.elsewhere}</span>}
      </div>
    );
  return (
    <Runnable
      apl={translation.apl}
      note={
        translation.other === undefined ? undefined : `No dataset “${translation.other}”: reads ${translation.dataset}`
      }
      onRun={onRun}
    >
      <ArrowRightLeft aria-hidden /> Run {translation.language} as APL
    </Runnable>
  );
}

const Runnable = ({
  apl,
  note,
  onRun,
  children,
}: {
  readonly apl: string;
  readonly note?: string | undefined;
  readonly onRun: (apl: string) => void;
  readonly children: ReactNode;
}) => (
  <div className={styles.offer} role="status">
    <Button small kind="primary" onPress={() => onRun(apl)}>
      {children} <kbd>Enter</kbd>
    </Button>
    {note !== undefined && <span className={styles.offerNote}>{note}</span>}
    <code className={styles.offered} title={apl}>
      {apl.replaceAll('\n', ' ')}
    </code>
  </div>
);
