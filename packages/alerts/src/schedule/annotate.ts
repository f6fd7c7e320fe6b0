import { randomBytes } from 'node:crypto';
import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import type { Annotation } from '@millrace/api/schemas/query-resources';
import { linkTo } from '../outbox/links.js';
import { describeChange, nameWithGroup } from '../outbox/message-text.js';
import type { RunOutcome } from '../state/records.js';

import type { Change } from '../state/transition.js';
import type { RunDependencies } from './run-dependencies.js';

/** Annotations of openings, on the datasets of a monitor. */

interface AnnotationInput {
  readonly changes: readonly Change[];
  readonly state: RunOutcome['state'];
  readonly datasets: readonly string[];
  readonly time: number;
}

const longestDescription = 512;
const longestTitle = 256;

/** An annotation for each which ends with the closing. */
export async function annotate(
  monitor: StoredMonitor,
  { changes, state, datasets, time }: AnnotationInput,
  { annotation, consoleUrl, maxAnnotations }: RunDependencies,
): Promise<{ readonly annotations: readonly Annotation[]; readonly state: RunOutcome['state'] }> {
  const groups = { ...state.groups };
  const url = linkTo(monitor.id, consoleUrl);
  const annotations: Annotation[] = [];
  let capacity = maxAnnotations - Object.values(groups).filter(({ annotation: id }) => id !== undefined).length;
  for (const change of changes) {
    const group = groups[change.group];
    if (change.action === 'Open' && !change.again && group !== undefined && datasets.length > 0 && capacity > 0) {
      capacity--;
      const id = `ann_${randomBytes(12).toString('hex')}`;
      groups[change.group] = { ...group, annotation: id };
      annotations.push({
        id,
        datasets: [...datasets],
        type: 'alert',
        time: new Date(time).toISOString(),
        title: nameWithGroup(monitor.name, change).slice(0, longestTitle),
        description: describeChange(change, monitor).slice(0, longestDescription),
        ...(url !== undefined && { url }),
      });
    }
    if (change.action === 'Closed' && change.annotation !== undefined) {
      const present = await annotation(change.annotation);
      if (present !== undefined) annotations.push({ ...present, endTime: new Date(time).toISOString() });
    }
  }
  return { annotations, state: { ...state, groups } };
}
