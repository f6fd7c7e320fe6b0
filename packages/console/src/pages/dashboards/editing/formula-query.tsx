import { useEffect, useRef, useState } from 'react';
import type { Range } from '../../../data/time/ranges.js';
import { Button } from '../../../widgets/inputs/button.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import { Workbench } from '../../../workbench/workbench.js';
import styles from '../dashboard.module.css';
import { combinedQuery, type Formula } from '../document/formula.js';

/** Two queries and the formula that makes one number of theirs. */
export function FormulaQuery({
  formula,
  range,
  onChange,
}: {
  readonly formula: Formula;
  readonly range: Range;
  /** Undefined leaves query A alone. */
  readonly onChange: (formula: Formula | undefined) => void;
}) {
  const [typed, setTyped] = useState(formula);
  const combined = combinedQuery(typed);
  const problem = 'problem' in combined ? combined.problem : undefined;
  const apply = (next: Formula): void => {
    setTyped(next);
    onChange(next);
  };
  // Closing keeps the typed text; undo reverts it.
  const keepTyped = useRef(() => {});
  keepTyped.current = () => problem === undefined && typed !== formula && onChange(typed);
  useEffect(() => () => keepTyped.current(), []);
  return (
    <div className={styles.form}>
      {(['a', 'b'] as const).map((name) => (
        <fieldset key={name} className={styles.group}>
          <legend>Query {name.toUpperCase()}</legend>
          <Workbench
            text={typed[name]}
            range={range}
            label={`Query ${name.toUpperCase()}`}
            onText={(text) => setTyped({ ...typed, [name]: text })}
            onRun={(text) => apply({ ...typed, [name]: text })}
          />
        </fieldset>
      ))}
      <TextField
        label="Formula"
        value={typed.text}
        placeholder="A / B * 100"
        onChange={(text) => setTyped({ ...typed, text })}
        onKeyDown={(event) => event.key === 'Enter' && apply(typed)}
        problem={problem}
      />
      <div className={styles.row}>
        <Button kind="primary" disabled={problem !== undefined} onPress={() => apply(typed)}>
          Apply and run
        </Button>
        <Button kind="quiet" onPress={() => onChange(undefined)}>
          Use query A alone
        </Button>
      </div>
    </div>
  );
}
