import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { parseInstant } from '../../../data/time/instants.js';
import { zonedText } from '../../../data/time/zones.js';
import { usePreferences } from '../../../data/preferences.js';
import { Button } from '../../../widgets/inputs/button.js';
import { cx } from '../../../widgets/class-names.js';
import styles from './timeline.module.css';
import type { TimelineEntry } from './timeline.js';

/** A storm has thousands of entries. */
const FIRST_SHOWN = 50;

export function Timeline({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  const { zone } = usePreferences();
  const [shown, setShown] = useState(FIRST_SHOWN);
  return (
    <>
      <ol className={styles.timeline} aria-label="Timeline">
        {entries.slice(0, shown).map(({ key, time, tone, title, text, path }) => {
          const instant = parseInstant(time);
          return (
            <li key={key} className={cx(styles.entry, styles[tone])}>
              <time dateTime={time} className={styles.time}>
                {instant === undefined ? time : zonedText(instant, zone, 0)}
              </time>
              <span className={styles.what}>
                <strong>{title}</strong>
                {text !== undefined &&
                  text !== '' &&
                  (path === undefined ? (
                    <span className={styles.text}>{text}</span>
                  ) : (
                    <Entry path={path} text={text} />
                  ))}
              </span>
            </li>
          );
        })}
      </ol>
      {entries.length > shown && (
        <Button small onPress={() => setShown(shown + FIRST_SHOWN)}>
          Show {Math.min(FIRST_SHOWN, entries.length - shown)} of {entries.length - shown} more
        </Button>
      )}
    </>
  );
}

const Entry = ({ path, text }: { readonly path: string; readonly text: string }) => {
  const [to, id] = path.split('?id=');
  return (
    <Link to={to as string} search={(id === undefined ? {} : { id }) as never} className={styles.text}>
      {text}
    </Link>
  );
};
