import { bluesky } from './bluesky.js';
import { httpLogs } from './http-logs.js';
import { security } from './security.js';
import type { Shape } from './shape.js';
import { traces } from './traces.js';

export const shapes: readonly Shape[] = [httpLogs, traces, security, bluesky];

/** The shapes with these names. */
export const shapesNamed = (names: readonly string[]): readonly Shape[] =>
  shapes.filter(({ name }) => names.includes(name));
