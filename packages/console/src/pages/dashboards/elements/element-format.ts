import { type Chart, numberMember, textMember } from '../document/document.js';
import { numberText } from '../../../charts/units.js';

/** Number format of an element. */
export const formatOf =
  (chart: Chart): ((value: number) => string) =>
  (value) =>
    numberText(value, textMember(chart, 'unit'), textMember(chart, 'customUnits'), numberMember(chart, 'decimals'));

/** Whether it defines one. */
export const hasUnit = (chart: Chart): boolean =>
  ['unit', 'customUnits', 'decimals'].some(
    (name) => textMember(chart, name) !== undefined || numberMember(chart, name) !== undefined,
  );
