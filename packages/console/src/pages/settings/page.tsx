import { useCatalog } from '../../data/catalog.js';
import { keyCaps } from '../../data/keys.js';
import { commandsStore } from '../../data/commands.js';
import { useStore } from '../../data/store.js';
import { setPreferences, usePreferences } from '../../data/preferences.js';
import { Checkbox } from '../../widgets/inputs/checkbox.js';
import { DescriptionList } from '../../widgets/description-list.js';
import { Page } from '../../widgets/page.js';
import { Section, Sections } from '../../widgets/section.js';
import { SegmentedInput } from '../../widgets/inputs/segmented-input.js';
import { Sessions } from '../../widgets/sessions.js';
import { OtherDevice } from './other-device.js';
import styles from './settings.module.css';
import { ZoneSetting } from './zone-setting.js';

/** Preferences of this browser, and sessions of the user. */
export function SettingsPage() {
  const { theme, density, letterKeys, formatOnPaste } = usePreferences();
  const principal = useCatalog()?.principal;
  return (
    <Page title="Settings">
      <Sections>
        <Section title="Appearance" about="Stored in this browser.">
          <div className={styles.pairs}>
            <span>Theme</span>
            <SegmentedInput
              label="Theme"
              value={theme}
              onChange={(next) => setPreferences({ theme: next })}
              choices={[
                { id: 'system', title: 'System' },
                { id: 'dark', title: 'Dark' },
                { id: 'light', title: 'Light' },
              ]}
            />
            <span>Rows</span>
            <SegmentedInput
              label="Rows"
              value={density}
              onChange={(next) => setPreferences({ density: next })}
              choices={[
                { id: 'normal', title: 'Normal' },
                { id: 'compact', title: 'Compact' },
              ]}
            />
          </div>
        </Section>
        <Section title="Time zone" about="Display time zone. Links can override it.">
          <ZoneSetting />
        </Section>
        <Section title="Keyboard shortcuts" about="Shortcuts are inactive while typing.">
          <Checkbox checked={letterKeys} onChange={(next) => setPreferences({ letterKeys: next })}>
            Enable single-key shortcuts, such as <kbd>j</kbd> and <kbd>g</kbd> <kbd>q</kbd>
          </Checkbox>
          <Checkbox checked={formatOnPaste} onChange={(next) => setPreferences({ formatOnPaste: next })}>
            Format queries on paste
          </Checkbox>
          <KeysList />
        </Section>
        <Section
          title="Sessions"
          about="Your signed-in browsers. Sessions end when idle or when their token is revoked."
          end={<OtherDevice />}
        >
          <Sessions of={principal?.userId} />
        </Section>
        {principal !== undefined && (
          <Section title="Account">
            <DescriptionList
              facts={[
                ['Name', principal.userName ?? '–'],
                ['E-mail', principal.email ?? '–'],
                [
                  'Signed in with',
                  `${principal.kind === 'api-token' ? 'API token' : 'personal token'} ${principal.tokenName}`,
                ],
              ]}
            />
          </Section>
        )}
      </Sections>
    </Page>
  );
}

function KeysList() {
  const commands = useStore(commandsStore).filter(({ keys }) => (keys?.length ?? 0) > 0);
  return (
    <dl className={styles.keys}>
      {commands.map(({ id, title, keys = [] }) => (
        <div key={id}>
          <dt>{title}</dt>
          <dd>
            {keyCaps(keys[0]!).map((cap) => (
              <kbd key={cap}>{cap}</kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
