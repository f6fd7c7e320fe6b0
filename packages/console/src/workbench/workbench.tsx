import type { EditorDiagnostic } from '@millrace/apl/editor';
import { useEffect, useRef, useState } from 'react';
import { useCatalogue } from '../data/catalogue.js';
import type { Range } from '../data/time/ranges.js';
import { tellLanguage } from '../editor/language.js';
import { QueryEditor } from '../editor/query-editor.js';
import { Builder } from './builder.js';
import { Findings } from './findings.js';
import { useOutline } from './use-outline.js';
import { useValuesOf } from './use-values-of.js';

/**
 * Where a query is written: the editor with completion of fields and their values, what is wrong
 * and what mends it, and the steps as chips that edit the same characters.
 */
export function Workbench({
  text,
  range,
  label,
  onText,
  onRun,
}: {
  readonly text: string;
  /** Values that are offered are those of this time. */
  readonly range: Range;
  readonly label: string;
  readonly onText: (text: string) => void;
  readonly onRun: (text: string) => void;
}) {
  const catalogue = useCatalogue();
  const [findings, setFindings] = useState<readonly EditorDiagnostic[]>([]);
  const outline = useOutline(text);
  // Chips stay while the language looks at the next text: nothing below them moves with each
  // letter.
  const latest = useRef({ text, outline });
  if (outline !== undefined) latest.current = { text, outline };
  const { current: known } = latest;
  const valuesOf = useValuesOf(range, outline, text);
  useEffect(() => {
    if (catalogue !== undefined) tellLanguage(catalogue);
  }, [catalogue]);
  return (
    <>
      <QueryEditor
        text={text}
        onChange={onText}
        onRun={() => onRun(text)}
        onFindings={setFindings}
        valuesOf={valuesOf}
        label={label}
      />
      <Findings findings={findings} text={text} onText={onText} onRun={onRun} />
      <Builder text={known.text} outline={known.outline} onText={(next) => known.text === text && onRun(next)} />
    </>
  );
}
