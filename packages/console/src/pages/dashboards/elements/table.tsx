import type { DrawProps, ElementKind } from './element-kind.js';
import { Rows } from './rows.js';

const Table = ({ chart, answer, zone }: DrawProps) => <Rows chart={chart} answer={answer} zone={zone} />;

export const table: ElementKind = {
  title: 'Table',
  about: 'Rows and columns of any result.',
  size: [6, 5],
  asks: true,
  rows: 1000,
  cut: 'rows',
  begins: ({ group }) => (group === undefined ? 'take 100' : `summarize count() by ${group} | sort by count_ desc`),
  starter: { query: { apl: '' }, tableSettings: { columns: [] } },
  Draw: Table,
};
