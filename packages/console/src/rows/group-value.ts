import { useCallback } from 'react';
import type { Answer } from '../data/results/results.js';
import { groupName } from '../data/results/group-name.js';
import type { PointedWith } from '../widgets/pointer-type.js';
import { type ClickedValue, useValueMenu } from './value-menu.js';

/** The column of group names, if they are values of one field. */
function groupColumn({ table: { head } }: Answer): number | undefined {
  const keys = head.groups.filter((group) => group.name !== head.buckets?.field);
  const index = head.fields.findIndex((field) => field.name === keys[0]?.name);
  return keys.length === 1 && index >= 0 ? index : undefined;
}

/** Field and value of a group, if it groups by one field. */
export function pointedAt(answer: Answer, name: string): ClickedValue | undefined {
  const { head, columns } = answer.table;
  const index = groupColumn(answer);
  if (index === undefined) return undefined;
  const { name: field, type } = head.fields[index]!;
  const cell = columns[index]!.find((each) => groupName(each, field) === name);
  return cell === undefined ? undefined : { field, type, cell };
}

/** Opens the value menu of a series; undefined unless it groups by one field. */
export function usePointAtGroup(answer: Answer): ((event: PointedWith, name: string) => void) | undefined {
  const open = useValueMenu();
  const point = useCallback(
    (event: PointedWith, name: string): void => {
      const pointed = pointedAt(answer, name);
      if (pointed !== undefined) open(event, pointed);
    },
    [answer, open],
  );
  return groupColumn(answer) === undefined ? undefined : point;
}
