import { commandsStore } from '../data/commands.js';
import { keyCaps } from '../data/keys.js';
import { useStore } from '../data/store.js';
import { setTaste, useTaste } from '../data/taste.js';
import { Button } from '../widgets/inputs/button.js';
import { Sheet } from '../widgets/overlays/dialog.js';
import styles from './keys-sheet.module.css';

/** All keys of what is on the screen. */
export function KeysSheet({ onClose }: { readonly onClose: () => void }) {
  const commands = useStore(commandsStore).filter(({ keys }) => (keys?.length ?? 0) > 0);
  const { letterKeys } = useTaste();
  const groups = [...new Set(commands.map(({ group }) => group))];
  return (
    <Sheet
      title="Keys"
      open
      onClose={onClose}
      actions={
        <Button onPress={() => setTaste({ letterKeys: !letterKeys })}>
          {letterKeys ? 'Turn single letters off' : 'Turn single letters on'}
        </Button>
      }
    >
      {/* Nothing in it can have the focus, and it may be longer than the screen. */}
      <div tabIndex={0} role="group" aria-label="Keys of this page">
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
    </Sheet>
  );
}
