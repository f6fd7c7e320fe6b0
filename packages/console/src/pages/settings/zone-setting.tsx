import { useState } from 'react';
import { setPreferences, usePreferences } from '../../data/preferences.js';
import { MILLISECOND } from '../../data/time/instants.js';
import { isZone, zonedText, zoneName } from '../../data/time/zones.js';
import { useNow } from '../../data/use-now.js';
import { SegmentedInput } from '../../widgets/inputs/segmented-input.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import styles from './settings.module.css';

type Kind = 'local' | 'UTC' | 'named';

/** Local, UTC, or an IANA name. */
export function ZoneSetting() {
  const { zone } = usePreferences();
  const now = useNow();
  const [named, setNamed] = useState(zone === 'local' || zone === 'UTC' ? '' : zone);
  const [kind, setKind] = useState<Kind>(zone === 'local' || zone === 'UTC' ? zone : 'named');
  const choose = (next: Kind): void => {
    setKind(next);
    if (next !== 'named') setPreferences({ zone: next });
    else if (isZone(named) && named !== '') setPreferences({ zone: named });
  };
  const handleTyping = (text: string): void => {
    setNamed(text);
    if (text !== '' && isZone(text)) setPreferences({ zone: text });
  };
  return (
    <>
      <SegmentedInput
        label="Time zone"
        value={kind}
        onChange={choose}
        choices={[
          { id: 'local', title: `Local: ${zoneName('local')}` },
          { id: 'UTC', title: 'UTC' },
          { id: 'named', title: 'Another' },
        ]}
      />
      {kind === 'named' && (
        <TextField
          label="Name of the zone"
          className={styles.narrow}
          value={named}
          onChange={handleTyping}
          placeholder="Europe/Berlin"
          problem={named === '' || isZone(named) ? undefined : 'Unknown time zone. Use a name such as Europe/Berlin'}
        />
      )}
      <p className={styles.now}>
        Now it is <time>{zonedText(BigInt(now) * MILLISECOND, zone, 0)}</time> in {zoneName(zone)}.
      </p>
    </>
  );
}
