import { applyFix } from '@millrace/apl/editor';
import type { EditorFinding } from '../editor/language-services.js';
import { Button } from '../widgets/inputs/button.js';
import styles from './workbench.module.css';

const MAX_SHOWN = 4;

/** Problems in the text, with fixes. */
export function Findings({
  findings,
  text,
  onText,
  onRun,
}: {
  readonly findings: readonly EditorFinding[];
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onRun: (text: string) => void;
}) {
  // Problems of an earlier text have outdated positions.
  const present = findings.filter(({ span }) => span.end <= text.length);
  const fixable = present.filter(({ fixes }) => fixes.length > 0);
  if (present.length === 0) return null;
  return (
    <ul className={styles.findings} aria-label="Problems">
      {present.slice(0, MAX_SHOWN).map((finding, index) => (
        <li key={`${finding.span.start} ${finding.message}`} className={styles.finding}>
          <span className={styles[finding.severity]}>{finding.message}</span>
          <span className={styles.place}>line {lineOf(text, finding.span.start)}</span>
          {finding.fixes.map((fix) => (
            <Button
              key={fix.title}
              small
              onPress={() => onText(applyFix(text, fix))}
              {...(index === 0 && { hint: 'Alt+Enter in the editor' })}
            >
              {fix.title}
            </Button>
          ))}
          {fixable.length === 1 && finding.fixes.length === 1 && (
            <Button small kind="primary" onPress={() => onRun(applyFix(text, finding.fixes[0]!))}>
              Apply fix and run
            </Button>
          )}
        </li>
      ))}
      {present.length > MAX_SHOWN && <li className={styles.place}>and {present.length - MAX_SHOWN} more</li>}
    </ul>
  );
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
