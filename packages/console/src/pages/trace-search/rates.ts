import { shortAmount } from '../../data/format-units.js';

/** `12 /s`, `3.5 /min`: per minute for low rates. */
export function rateText(count: number, seconds: number): string {
  if (count === 0 || seconds <= 0) return '0';
  const perSecond = count / seconds;
  if (perSecond >= 1) return `${shortAmount(perSecond).trimEnd()} /s`;
  const perMinute = perSecond * 60;
  return perMinute >= 1 ? `${shortAmount(perMinute).trimEnd()} /min` : `${shortAmount(perMinute * 60).trimEnd()} /h`;
}

/** `0%`, `0.04%`, `12%`: non-zero values never look like zero. */
export const shareText = (share: number): string =>
  share === 0 ? '0%' : `${share >= 0.1 ? Math.round(share * 100) : Number((share * 100).toPrecision(2))}%`;
