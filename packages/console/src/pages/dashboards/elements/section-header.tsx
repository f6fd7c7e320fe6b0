import { ChevronDown, ChevronRight } from 'lucide-react';
import { Button } from '../../../widgets/inputs/button.js';
import { useBoardView } from '../dashboard-view.js';
import { shownName } from '../document/document.js';
import styles from './elements.module.css';
import type { ElementKind, StaticElementProps } from './element-kind.js';

/** Header of a collapsible section; collapsed elements are not queried. */
function SectionHeader({ chart }: StaticElementProps) {
  const { closedSections, toggleSection } = useBoardView();
  const closed = closedSections.has(chart.id);
  return (
    <h2 className={styles.section}>
      <Button kind="quiet" expanded={!closed} onPress={() => toggleSection(chart.id)}>
        {closed ? <ChevronRight aria-hidden /> : <ChevronDown aria-hidden />} {shownName(chart) || 'Section'}
      </Button>
    </h2>
  );
}

export const sectionHeader: ElementKind = {
  title: 'Section',
  about: 'A title that collapses the elements below it.',
  size: [12, 1],
  asks: false,
  bare: true,
  starter: { name: 'Section' },
  Draw: SectionHeader,
};
