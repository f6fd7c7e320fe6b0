import type { EditorFinding } from '../editor/language-services.js';
import { useEffect, useRef, useState } from 'react';
import { useCatalog } from '../data/catalog.js';
import type { Range } from '../data/time/ranges.js';
import { tellLanguage } from '../editor/language.js';
import { QueryEditor } from '../editor/query-editor.js';
import { Builder } from './builder.js';
import { Findings } from './problems.js';
import { SearchOffer } from './search-offer.js';
import { useOutline } from './use-outline.js';
import type { SearchText } from './use-search-text.js';
import styles from './workbench.module.css';
import { useValuesOf } from './use-field-values.js';

/**
 * Query editor with completion of fields and values, problems with fixes, and chips for its parts.
 */
export function Workbench({
  text,
  range,
  label,
  search,
  onText,
  onRun,
  onWrong,
}: {
  readonly text: string;
  /** Range of the suggested values. */
  readonly range: Range;
  readonly label: string;
  /** Search text, where it can be run. */
  readonly search?: SearchText;
  readonly onText: (text: string) => void;
  readonly onRun: (text: string) => void;
  /** Called when the problems of the text appear or go. */
  readonly onWrong?: (isWrong: boolean) => void;
}) {
  const catalog = useCatalog();
  const [findings, setFindings] = useState<readonly EditorFinding[]>([]);
  const outline = useOutline(text);
  // Chips stay while the language service parses the next text: otherwise the layout would shift on
  // each keystroke.
  const latest = useRef({ text, outline });
  if (outline !== undefined) latest.current = { text, outline };
  const { current: known } = latest;
  const valuesOf = useValuesOf(range, outline, text);
  useEffect(() => {
    if (catalog !== undefined) tellLanguage(catalog);
  }, [catalog]);
  const proposal = search?.offer;
  const run = async (): Promise<void> => {
    const apl = search === undefined ? text : await search.resolve();
    if (apl !== undefined) onRun(apl);
  };
  const isWrong = proposal === undefined && findings.some(({ severity }) => severity === 'error');
  useEffect(() => onWrong?.(isWrong), [onWrong, isWrong]);
  return (
    <>
      <QueryEditor
        text={text}
        onChange={onText}
        onRun={() => void run()}
        textKind={proposal === undefined ? 'query' : search?.apl === undefined ? 'untranslated' : 'search'}
        onFindings={setFindings}
        valuesOf={valuesOf}
        label={label}
      />
      {/* Chips, a search or problems share one place: the page below stays where it is. */}
      <div className={styles.below}>
        {proposal !== undefined ? (
          <SearchOffer offer={proposal} onRun={onRun} />
        ) : isWrong ? (
          <div className={styles.over}>
            <Findings findings={findings} text={text} onText={onText} onRun={onRun} />
          </div>
        ) : (
          <Builder text={known.text} outline={known.outline} onText={(next) => known.text === text && onRun(next)} />
        )}
      </div>
      {proposal === undefined && !isWrong && <Findings findings={findings} text={text} onText={onText} onRun={onRun} />}
    </>
  );
}
