import { roundedText } from '../../../data/format-units.js';
import { Value } from '../../../rows/value.js';
import { useValueMenu } from '../../../rows/value-menu.js';
import { visibleText } from '../../../data/results/visible-text.js';
import { FieldName } from '../../../widgets/untrusted-text.js';
import { Chip } from '../../../widgets/chip.js';
import { cellOfValue, changeText, type FieldDifference, type Spotlight } from './comparison.js';
import styles from './spotlight.module.css';
import type { Distribution } from './use-spotlight.js';

/** Values listed per field, largest difference first. */
const MAX_VALUES = 5;

const tones = { certain: 'good', likely: 'info', weak: 'plain' } as const;

/** One field: confidence, and its values on both sides. */
export function SpotlightCard({
  difference,
  found,
  type,
  zone,
  distribution,
}: {
  readonly difference: FieldDifference;
  readonly found: Spotlight;
  readonly type: string;
  readonly zone: string;
  readonly distribution: Distribution | undefined;
}) {
  const { field, score, certainty, kind, medianChange } = difference;
  return (
    <li className={styles.card}>
      <h2 className={styles.head}>
        <span className={styles.field} title={`${visibleText(field)}: ${type}`}>
          <FieldName name={field} />
        </span>
        <span className={styles.score} aria-hidden>
          <span style={{ width: `${Math.min(1, score) * 100}%` }} />
        </span>
        <Chip tone={tones[certainty]}>{certainty}</Chip>
      </h2>
      {kind === 'values' ? (
        <Values difference={difference} found={found} type={type} zone={zone} />
      ) : (
        <>
          <p className={styles.change}>{changeText(medianChange)}</p>
          {distribution !== undefined && <Boxes {...distribution} />}
        </>
      )}
    </li>
  );
}

function Values({
  difference: { field, values },
  found,
  type,
  zone,
}: Pick<Parameters<typeof SpotlightCard>[0], 'difference' | 'found' | 'type' | 'zone'>) {
  const openMenu = useValueMenu();
  const share = (count: number, of: number): number => (of === 0 ? 0 : count / of);
  return (
    <ul>
      {values.slice(0, MAX_VALUES).map(({ value, selected, others }) => {
        const cell = cellOfValue(value, type);
        const sides = [
          { name: 'selected', count: selected, share: share(selected, found.selected) },
          { name: 'others', count: others, share: share(others, found.others) },
        ];
        return (
          <li key={value}>
            <button type="button" className={styles.value} onClick={(event) => openMenu(event, { field, type, cell })}>
              <span className={styles.name}>
                <Value cell={cell} type={type} zone={zone} />
              </span>
              {sides.map((side) => (
                <span key={side.name} className={styles.side} title={`${side.count.toLocaleString('en')} events`}>
                  <span className={styles.bar} data-side={side.name}>
                    <span style={{ width: `${side.share * 100}%` }} />
                  </span>
                  <span className={styles.percent}>
                    {percentText(side.share)}
                    <span className="unseen"> of the {side.name}</span>
                  </span>
                </span>
              ))}
            </button>
          </li>
        );
      })}
      {values.length > MAX_VALUES && <li className={styles.more}>and {values.length - MAX_VALUES} more values</li>}
    </ul>
  );
}

const percentText = (share: number): string =>
  share === 0 ? '0%' : share < 0.001 ? '< 0.1%' : `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`;

/** Box plots of both sides on one scale: quartiles, median and 90% range. */
function Boxes({ selected, others }: Distribution) {
  const all = [...selected, ...others];
  if (selected.length < 5 || others.length < 5 || all.some((each) => !Number.isFinite(each))) return null;
  const [min, max] = [Math.min(...all), Math.max(...all)];
  const at = (value: number): string => `${max === min ? 50 : (100 * (value - min)) / (max - min)}%`;
  const width = (from: number, to: number): string =>
    `${max === min ? 0 : Math.max(0.5, (100 * (to - from)) / (max - min))}%`;
  return (
    <div className={styles.boxes}>
      {[
        { name: 'selected', numbers: selected },
        { name: 'others', numbers: others },
      ].map(({ name, numbers: [low, quarter, middle, threeQuarters, high] }) => (
        <div key={name} className={styles.boxLine}>
          <span className={styles.box} data-side={name} aria-hidden>
            <span className={styles.reach} style={{ left: at(low!), width: width(low!, high!) }} />
            <span className={styles.half} style={{ left: at(quarter!), width: width(quarter!, threeQuarters!) }} />
            <span className={styles.middle} style={{ left: at(middle!) }} />
          </span>
          <span className={styles.median} title="Median; box: 25th–75th percentile, line: 5th–95th">
            <span title={String(middle)}>{roundedText(middle!)}</span>
            <span className="unseen"> is the median of the {name}</span>
          </span>
        </div>
      ))}
    </div>
  );
}
