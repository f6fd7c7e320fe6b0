import { nowInstant } from '../../data/time/instants.js';
import { boundsOf, type Range } from '../../data/time/ranges.js';
import { zonedText } from '../../data/time/zones.js';
import { UntrustedText } from '../../widgets/untrusted-text.js';
import styles from './dashboard.module.css';

/** Header for print: name and absolute range, since “the last hour” has no meaning later. */
export function PaperHead({
  name,
  range,
  zone,
}: {
  readonly name: string;
  readonly range: Range;
  readonly zone: string;
}) {
  const bounds = boundsOf(range, nowInstant());
  return (
    <h1 className={styles.paperHead}>
      <UntrustedText text={name} />{' '}
      {bounds !== undefined && (
        <small>
          {zonedText(bounds.start, zone, 0)} – {zonedText(bounds.end, zone, 0)} {zone === 'local' ? '' : zone}
        </small>
      )}
    </h1>
  );
}
