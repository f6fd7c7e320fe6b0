import { useContext } from 'react';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import {
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  RangeCalendar,
  RangeCalendarStateContext,
} from 'react-aria-components/RangeCalendar';
import { SECOND } from '../../data/time/instants.js';
import { type Range, rangeOf } from '../../data/time/ranges.js';
import { instantAt } from '../../data/time/zones.js';
import styles from './day-range.module.css';

/** Two months, to choose the first and last day of a range, in the viewer's zone. */
export const DayRange = ({ zone, onRange }: { readonly zone: string; readonly onRange: (range: Range) => void }) => (
  <RangeCalendar
    aria-label="Days"
    className={styles.calendar!}
    visibleDuration={{ months: 2 }}
    pageBehavior="single"
    selectionAlignment="end"
    onChange={({ start, end }) => {
      const first = instantAt(start.toString(), '00:00:00', zone);
      const last = instantAt(end.toString(), '23:59:59', zone);
      if (first !== undefined && last !== undefined) onRange(rangeOf({ start: first, end: last + SECOND - 1n }));
    }}
  >
    <header className={styles.head}>
      <Button slot="previous" className={styles.turn!}>
        <ChevronLeft aria-hidden />
      </Button>
      <MonthTitle offset={0} />
      <MonthTitle offset={1} />
      <Button slot="next" className={styles.turn!}>
        <ChevronRight aria-hidden />
      </Button>
    </header>
    <div className={styles.months}>
      <Month offset={0} />
      <Month offset={1} />
    </div>
  </RangeCalendar>
);

/** Title of one month; the default title names only the first. */
function MonthTitle({ offset }: { readonly offset: number }) {
  const calendar = useContext(RangeCalendarStateContext);
  if (calendar === null) return null;
  const month = calendar.visibleRange.start.add({ months: offset });
  const text = month.toDate('UTC').toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return <span className={styles.title}>{text}</span>;
}

const Month = ({ offset }: { readonly offset: number }) => (
  <CalendarGrid offset={{ months: offset }} className={styles.month!} weekdayStyle="short">
    <CalendarGridHeader>
      {(day) => <CalendarHeaderCell className={styles.weekday!}>{day}</CalendarHeaderCell>}
    </CalendarGridHeader>
    <CalendarGridBody>{(date) => <CalendarCell date={date} className={styles.day!} />}</CalendarGridBody>
  </CalendarGrid>
);
