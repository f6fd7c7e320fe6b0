import { useCatalogue } from '../../data/catalogue.js';
import { keyCaps } from '../../data/keys.js';
import { commandsStore } from '../../data/commands.js';
import { useStore } from '../../data/store.js';
import { setTaste, useTaste } from '../../data/taste.js';
import { Checkbox } from '../../widgets/inputs/checkbox.js';
import { Facts } from '../../widgets/facts.js';
import { Page } from '../../widgets/page.js';
import { Section, Sections } from '../../widgets/section.js';
import { Segmented } from '../../widgets/inputs/segmented.js';
import { Sessions } from '../../widgets/sessions.js';
import { OtherDevice } from './other-device.js';
import styles from './settings.module.css';
import { ZoneSetting } from './zone-setting.js';

/** What is a matter of taste in this browser, and where one is signed in. */
export function SettingsPage() {
  const { theme, density, letterKeys, formatOnPaste } = useTaste();
  const principal = useCatalogue()?.principal;
  return (
    <Page title="Settings">
      <Sections>
        <Section title="Look" about="Kept in this browser. It never changes what a link shows, only how.">
          <div className={styles.pairs}>
            <span>Theme</span>
            <Segmented
              label="Theme"
              value={theme}
              onChange={(next) => setTaste({ theme: next })}
              choices={[
                { id: 'system', title: 'As the system' },
                { id: 'dark', title: 'Dark' },
                { id: 'light', title: 'Light' },
              ]}
            />
            <span>Rows</span>
            <Segmented
              label="Rows"
              value={density}
              onChange={(next) => setTaste({ density: next })}
              choices={[
                { id: 'normal', title: 'Normal' },
                { id: 'compact', title: 'Compact' },
              ]}
            />
          </div>
        </Section>
        <Section
          title="Time zone"
          about="Times are stored in UTC and shown in this zone, unless a link says otherwise."
        >
          <ZoneSetting />
        </Section>
        <Section title="Keys" about="Single letters never count while a text is being typed.">
          <Checkbox checked={letterKeys} onChange={(next) => setTaste({ letterKeys: next })}>
            Single letters are keys, such as <kbd>j</kbd> and <kbd>g</kbd> <kbd>q</kbd>
          </Checkbox>
          <Checkbox checked={formatOnPaste} onChange={(next) => setTaste({ formatOnPaste: next })}>
            Format a query when it is pasted
          </Checkbox>
          <KeysList />
        </Section>
        <Section
          title="Sessions"
          about="Browsers that are signed in as you. A session ends with its token, and when nobody uses it."
          end={<OtherDevice />}
        >
          <Sessions of={principal?.userId} />
        </Section>
        {principal !== undefined && (
          <Section title="You">
            <Facts
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
