import type { Answer } from '../../../data/answers/answers.js';
import { pointedAt } from '../../../rows/group-value.js';
import { useValueMenu } from '../../../rows/value-menu.js';
import { cx } from '../../../widgets/class-names.js';
import styles from './elements.module.css';

/** The name of a group; a click on it narrows the board, where it is the value of a field. */
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
  const shown = name === '' ? '""' : name;
  if (pointed === undefined)
    return (
      <span className={className} title={name}>
        {shown}
      </span>
    );
  return (
    <button
      type="button"
      className={cx(styles.group, className)}
      title={name}
      onClick={(event) => openMenu(event, pointed)}
    >
      {shown}
    </button>
  );
}
