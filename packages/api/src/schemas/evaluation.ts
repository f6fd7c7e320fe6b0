import { Type, type Static } from 'typebox';
import { withTitle, open, optional } from './parts.js';

/**
 * Runs of evaluations, as the command `axiom eval` reports them. Their cases and scores are spans
 * in a dataset.
 */

const count = optional(Type.Integer({ minimum: 0 }));
const results = {
  totalCases: count,
  successCases: count,
  erroredCases: count,
  durationMs: optional(Type.Number({ minimum: 0 })),
};
const id = Type.String({ minLength: 1, maxLength: 128, description: 'Trace ID of the run.' });
const name = Type.String({ minLength: 1, maxLength: 1000 });
const dataset = Type.String({ minLength: 1, description: 'Dataset with the spans of the run.' });
const status = Type.String({
  minLength: 1,
  maxLength: 64,
  description: '`running`, `completed`, `errored` or `cancelled`.',
});
const otherPropertiesNote = 'Other properties are stored as sent.';

export const WriteEvaluation = withTitle(
  'WriteEvaluation',
  Type.Object({ id, name, dataset, status, ...results }, { ...open, description: otherPropertiesNote }),
);
export const ChangeEvaluation = withTitle(
  'ChangeEvaluation',
  Type.Object(
    { id: optional(id), name: optional(name), dataset: optional(dataset), status: optional(status), ...results },
    { ...open, description: otherPropertiesNote },
  ),
);
const time = Type.String({ format: 'date-time' });
export const Evaluation = withTitle(
  'Evaluation',
  Type.Object({ ...WriteEvaluation.properties, createdAt: time, updatedAt: time }, open),
);
export type Evaluation = Static<typeof Evaluation>;
