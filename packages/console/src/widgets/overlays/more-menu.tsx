import { Ellipsis } from 'lucide-react';
import { IconButton } from '../inputs/button.js';
import { Menu, type MenuGroup } from './menu.js';

/** Less frequent actions, in a menu that three dots open. */
export const MoreMenu = ({
  label = 'More',
  small = false,
  groups,
}: {
  readonly label?: string;
  readonly small?: boolean;
  readonly groups: readonly MenuGroup[];
}) => (
  <Menu
    label={label}
    button={
      <IconButton small={small} label={label}>
        <Ellipsis />
      </IconButton>
    }
    groups={groups}
  />
);
