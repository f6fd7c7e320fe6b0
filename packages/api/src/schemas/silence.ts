import { Type, type Static } from 'typebox';
import { anyName, withTitle, optional, textOf, Timestamp } from './parts.js';

/** Silences: times in which some monitors or groups send no notifications. */

const values = (description: string) =>
  optional(Type.Record(anyName, Type.String({ maxLength: 1024 }), { description }));

const Repeat = Type.Object({
  cron: textOf('written', {
    minLength: 1,
    maxLength: 256,
    description: 'Start of each window: minute, hour, day of the month, month, day of the week.',
  }),
  timeZone: optional(
    Type.String({ maxLength: 64, default: 'UTC', description: 'Of the start, such as `Europe/Berlin`.' }),
  ),
  durationMinutes: Type.Integer({ minimum: 1, maximum: 7 * 1440, description: 'Length of each window.' }),
});

const writableProperties = {
  reason: Type.String({ minLength: 1, maxLength: 4096, description: 'Why, for other users.' }),
  labels: values('Only monitors that have all these labels.'),
  monitorIds: optional(Type.Array(Type.String(), { maxItems: 100, description: 'Only these monitors.' })),
  groups: values('Only groups with all these values, by the names of their fields: `{"host": "a"}`.'),
  startTime: optional(Timestamp('Default: now.')),
  endTime: optional(Timestamp('Required without `repeat`.')),
  repeat: optional(Repeat),
};

export const WriteSilence = withTitle('WriteSilence', Type.Object(writableProperties));
export type WriteSilence = Static<typeof WriteSilence>;

const storedProperties = {
  ...writableProperties,
  startTime: Timestamp('Active from then on.'),
  id: Type.String(),
  createdAt: Type.String({ format: 'date-time' }),
  createdBy: Type.String({ description: 'ID of the user.' }),
  updatedAt: Type.String({ format: 'date-time' }),
};
const SilenceSchema = Type.Object(storedProperties);
export type Silence = Static<typeof SilenceSchema>;

/** A silence as returned to clients. */
export const ShownSilence = withTitle(
  'Silence',
  Type.Object({
    ...storedProperties,
    active: Type.Boolean({ description: 'Active now.' }),
    activeUntil: optional(Type.String({ format: 'date-time', description: 'End of the present window.' })),
    nextStart: optional(
      Type.String({ format: 'date-time', description: 'Start of the next window, if it is within a year.' }),
    ),
  }),
);
export type ShownSilence = Static<typeof ShownSilence>;
