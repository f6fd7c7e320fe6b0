import type { Answer } from '../../../data/results/results.js';
import { pointedAt } from '../../../rows/group-value.js';
import { useValueMenu } from '../../../rows/value-menu.js';
import { visibleText } from '../../../data/results/visible-text.js';
import { UntrustedText } from '../../../widgets/untrusted-text.js';
import { cx } from '../../../widgets/class-names.js';
import styles from './elements.module.css';

/** Name of a group; if it is the value of a field, a click filters the dashboard by it. */
export function GroupName({
  answer,
  name,
  className,
}: {
  readonly answer: Answer;
  readonly name: string;
  readonly className?: string | undefined;
}) {
  const openMenu = useValueMenu();
  const pointed = pointedAt(answer, name);
  const shown = <UntrustedText text={name === '' ? '""' : name} />;
  if (pointed === undefined)
    return (
      <span className={className} title={visibleText(name)}>
        {shown}
      </span>
    );
  return (
    <button
      type="button"
      className={cx(styles.group, className)}
      title={visibleText(name)}
      onClick={(event) => openMenu(event, pointed)}
    >
      {shown}
    </button>
  );
}
