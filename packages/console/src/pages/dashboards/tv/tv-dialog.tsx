import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { consoleUrl } from '../../../data/address/console-path.js';
import type { Search } from '../../../data/search-text.js';
import { Checkbox } from '../../../widgets/inputs/checkbox.js';
import { Button } from '../../../widgets/inputs/button.js';
import { Select } from '../../../widgets/inputs/select.js';
import { CopyButton } from '../../../widgets/copy-button.js';
import { Dialog } from '../../../widgets/overlays/dialog.js';
import { textMember } from '../document/document.js';
import { listBoards, listKey } from '../document/records.js';
import { rotationSeconds, tvLink } from './tv-params.js';
import styles from './tv.module.css';

const secondsTitle = (seconds: number): string => (seconds < 60 ? `${seconds} s` : `${seconds / 60} min`);

/** Makes a link for a TV: this dashboard, or several in turn. */
export function TvDialog({
  uid,
  range,
  onClose,
}: {
  readonly uid: string;
  /** Range and time zone of the present view, as in its address. */
  readonly range: Search;
  readonly onClose: () => void;
}) {
  const others = (useQuery({ queryKey: listKey, queryFn: listBoards }).data ?? []).filter((each) => each.uid !== uid);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [every, setEvery] = useState('30');
  const link = tvLink(consoleUrl, [uid, ...chosen], Number(every), range);
  return (
    <Dialog
      open
      title="TV link"
      onClose={onClose}
      actions={
        <>
          <CopyButton text={link} label="Copy link" words />
          <Button kind="primary" onPress={() => location.assign(link)}>
            Open
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <p>Shows the dashboard with its title and a clock, without controls. It stays signed in as this browser is.</p>
        {others.length > 0 && (
          <fieldset className={styles.choices}>
            <legend>Rotate with</legend>
            {others.map(({ uid: other, dashboard }) => (
              <Checkbox
                key={other}
                checked={chosen.includes(other)}
                onChange={(is) => setChosen(is ? [...chosen, other] : chosen.filter((each) => each !== other))}
              >
                {textMember(dashboard, 'name') ?? other}
              </Checkbox>
            ))}
          </fieldset>
        )}
        {chosen.length > 0 && (
          <Select
            label="Time for each"
            value={every}
            onChange={setEvery}
            choices={rotationSeconds.map((seconds) => ({ id: String(seconds), title: secondsTitle(seconds) }))}
          />
        )}
        <p className={styles.link}>{link}</p>
      </div>
    </Dialog>
  );
}
