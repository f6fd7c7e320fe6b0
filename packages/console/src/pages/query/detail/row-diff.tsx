import { useState } from 'react';
import { textOf } from '../../../data/results/cells.js';
import type { RowSource } from '../../../rows/row-source.js';
import { Value } from '../../../rows/value.js';
import { Checkbox } from '../../../widgets/inputs/checkbox.js';
import { UntrustedText } from '../../../widgets/untrusted-text.js';
import { Drawer } from '../../../widgets/overlays/dialog.js';
import styles from './row-diff.module.css';

/** Longer lists are unreadable. */
const MAX_FIELDS = 500;

interface Line {
  readonly name: string;
  readonly type: string;
  readonly differs: boolean;
}

/** Fields of either row, different ones first. */
function rowDifferences(source: RowSource, [a, b]: readonly [number, number]): readonly Line[] {
  const lines = source.fields.flatMap(({ name, type }) => {
    const [one, other] = [source.cell(a, name), source.cell(b, name)];
    if (one === null && other === null) return [];
    const differs = (one === null) !== (other === null) || typeof one !== typeof other || textOf(one) !== textOf(other);
    return [{ name, type, differs }];
  });
  return lines.toSorted((x, y) => Number(y.differs) - Number(x.differs));
}

/** Two rows, field by field. */
export function RowDiff({
  source,
  rows,
  zone,
  onClose,
}: {
  readonly source: RowSource;
  readonly rows: readonly [number, number];
  readonly zone: string;
  readonly onClose: () => void;
}) {
  const [all, setAll] = useState(false);
  const lines = rowDifferences(source, rows);
  const different = lines.filter(({ differs }) => differs).length;
  const shown = lines.slice(0, all ? MAX_FIELDS : Math.min(different, MAX_FIELDS));
  return (
    <Drawer title="Two rows, field by field" open onClose={onClose} wide>
      <p className={styles.sum} role="status">
        {different} of {lines.length} fields differ.
        <Checkbox checked={all} onChange={setAll}>
          Show equal fields
        </Checkbox>
      </p>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Row {rows[0] + 1}</th>
            <th scope="col">Row {rows[1] + 1}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ name, type, differs }) => (
            <tr key={name} data-differs={differs}>
              <th scope="row">
                <UntrustedText text={name} />
              </th>
              {rows.map((row) => (
                <td key={row}>
                  <Value cell={source.cell(row, name)} type={type} zone={zone} wide />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > MAX_FIELDS && <p className={styles.sum}>{lines.length - MAX_FIELDS} fields not shown.</p>}
    </Drawer>
  );
}
