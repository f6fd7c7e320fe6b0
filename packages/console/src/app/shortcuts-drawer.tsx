import { commandsStore } from '../data/commands.js';
import { keyCaps } from '../data/keys.js';
import { useStore } from '../data/store.js';
import { setPreferences, usePreferences } from '../data/preferences.js';
import { Button } from '../widgets/inputs/button.js';
import { Drawer } from '../widgets/overlays/dialog.js';
import styles from './shortcuts-drawer.module.css';

/** All keyboard shortcuts of the current page. */
export function KeysSheet({ onClose }: { readonly onClose: () => void }) {
  const commands = useStore(commandsStore).filter(({ keys }) => (keys?.length ?? 0) > 0);
  const { letterKeys } = usePreferences();
  const groups = [...new Set(commands.map(({ group }) => group))];
  return (
    <Drawer
      title="Keyboard shortcuts"
      open
      onClose={onClose}
      actions={
        <Button onPress={() => setPreferences({ letterKeys: !letterKeys })}>
          {letterKeys ? 'Disable single-key shortcuts' : 'Enable single-key shortcuts'}
        </Button>
      }
    >
      {/* Focusable for scrolling: it has no controls and may be longer than the screen. */}
      <div tabIndex={0} role="group" aria-label="Shortcuts on this page">
        {groups.map((group) => (
          <section key={group} className={styles.group}>
            <h3>{group}</h3>
            <dl className={styles.list}>
              {commands
                .filter((each) => each.group === group)
                .map(({ id, title, keys = [] }) => (
                  <div key={id} className={styles.line}>
                    <dt>{title}</dt>
                    <dd>
                      {keys.map((each) => (
                        <span key={each} className={styles.keys}>
                          {keyCaps(each).map((cap) => (
                            <kbd key={cap}>{cap}</kbd>
                          ))}
                        </span>
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Drawer>
  );
}
