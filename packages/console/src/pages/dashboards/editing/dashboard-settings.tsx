import { useState } from 'react';
import { useCatalog } from '../../../data/catalog.js';
import { rangeTitle } from '../../../data/time/ranges.js';
import { Button } from '../../../widgets/inputs/button.js';
import { Select } from '../../../widgets/inputs/select.js';
import { TextField } from '../../../widgets/inputs/text-field.js';
import styles from '../dashboard.module.css';
import { rangeOfWindow, textMember, windowEnd } from '../document/document.js';
import { isLinkAddress, valueLinksOf } from '../document/value-links.js';
import { withMember } from '../document/with-member.js';
import type { DashboardState } from '../element-queries.js';
import { ValueLinkFields } from './value-link-fields.js';
import type { Draft } from './use-draft.js';

const refreshes = [0, 15, 60, 300, 900];
const refreshTitle = (seconds: number): string =>
  seconds === 0 ? 'Never' : seconds < 60 ? `Every ${seconds} seconds` : `Every ${seconds / 60} min`;

/** Name, owner, refresh and default range. */
export function BoardSettings({
  draft,
  asking,
  onDone,
}: {
  readonly draft: Draft;
  readonly asking: DashboardState;
  readonly onDone: () => void;
}) {
  const { document } = draft;
  const me = useCatalog()?.principal.userId;
  const [name, setName] = useState(document.name);
  const [about, setAbout] = useState(textMember(document, 'description') ?? '');
  const [refresh, setRefresh] = useState(String(document.refreshTime));
  const owner = textMember(document, 'owner') ?? 'X-AXIOM-EVERYONE';
  const [whose, setWhose] = useState(owner);
  const own = rangeOfWindow(document.timeWindowStart, document.timeWindowEnd);
  const isOther = own.from !== asking.range.from || own.to !== asking.range.to;
  const [takeRange, setTakeRange] = useState(false);
  const [links, setLinks] = useState(valueLinksOf(document));
  const kept = links.filter(({ field, url }) => field.trim() !== '' && isLinkAddress(url));
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        draft.change((before) => {
          const next = {
            ...before,
            name: name.trim(),
            owner: whose,
            refreshTime: Number(refresh),
            ...(takeRange && {
              timeWindowStart: windowEnd(asking.range.from),
              timeWindowEnd: windowEnd(asking.range.to),
            }),
          };
          const described = withMember(next, ['description'], about === '' ? undefined : about);
          return withMember(described, ['valueLinks'], kept.length === 0 ? undefined : kept) as typeof before;
        });
        onDone();
      }}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        problem={name.trim() === '' ? 'A name is required' : undefined}
      />
      <TextField label="Description" value={about} onChange={setAbout} lines={3} />
      <Select
        label="Visibility"
        value={whose}
        onChange={setWhose}
        choices={[
          { id: 'X-AXIOM-EVERYONE', title: 'Everyone' },
          ...(me === undefined ? [] : [{ id: me, title: 'Only me' }]),
          ...(owner !== 'X-AXIOM-EVERYONE' && owner !== me ? [{ id: owner, title: owner }] : []),
        ]}
      />
      <Select
        label="Refresh"
        value={refresh}
        onChange={setRefresh}
        choices={[...new Set([...refreshes, document.refreshTime])].map((seconds) => ({
          id: String(seconds),
          title: refreshTitle(seconds),
        }))}
      />
      <ValueLinkFields links={links} onChange={setLinks} />
      {isOther && (
        <Button pressed={takeRange} onPress={() => setTakeRange(!takeRange)}>
          Default time range {rangeTitle(asking.range, 'UTC')} instead of {rangeTitle(own, 'UTC')}
        </Button>
      )}
      <div className={styles.row}>
        <Button type="submit" kind="primary" disabled={name.trim() === ''}>
          Apply
        </Button>
      </div>
    </form>
  );
}
