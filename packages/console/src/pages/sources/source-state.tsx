import { Chip } from '../../widgets/chip.js';
import type { Source } from './source-queries.js';

const tones = { running: 'good', failing: 'bad', paused: 'plain', stopped: 'bad', waiting: 'info' } as const;

export const SourceState = ({ status: { state } }: Pick<Source, 'status'>) => <Chip tone={tones[state]}>{state}</Chip>;
