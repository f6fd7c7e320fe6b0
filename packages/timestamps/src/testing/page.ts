import { dates, datesWithTime, times, yearlessDates } from '../formats.js';
import { parseTimestampText } from '../detect.js';
import { programs, yearlessPrograms } from '../log-formats.js';
import { zoneOffsets } from '../zones.js';
import { formatLayout } from './format-layout.js';

/** The page about times, written from the tables. */
export function timesPage(): string {
  const shown = parseTimestampText('2024-03-07T21:08:07Z')!;
  const example = (layout: string): string => `\`${formatLayout(layout, shown, { name: '', hours: 0 })}\``;
  const rows = programs.flatMap(({ name, times: of }) =>
    of.map(([text, time], at) => `| ${at === 0 ? name : ''} | \`${text}\` | \`${time}\` |`),
  );
  const yearless = yearlessPrograms.flatMap(({ name, times: of }) =>
    of.map(([text, , time]) => `| ${name} | \`${text}\` | \`${time}\` |`),
  );
  return `# Times

<!-- Written from the tables in packages/timestamps by \`npm run docs -w packages/timestamps\`; a test keeps it current. -->

How a text becomes a time. It is the same where events are ingested and where a query converts: \`todatetime\`, \`parse … t:datetime\`, a text beside a
datetime, and in quotes \`datetime('…')\`. A text in none of these formats fails its event at ingest, and is null in a query.

- **RFC 3339 and ISO 8601**: \`2024-03-07T21:08:07.123456789+01:00\`, \`2024-03-07 21:08\`, \`2024-03-07\`, \`2024-03\`, \`2024-067\`, \`20240307T210807Z\`. A fraction has any number of
  digits, behind a point or a comma, of which nine count.
- **Without a zone** a time is UTC. **Without a year** it is in the latest year that puts it no more than a day after its arrival, and in a query after now.
- **Second 60** is read where a leap second can be, at 23:59:60 UTC, and is the next second.
- **Months come first** in numeric dates with slashes: \`1/2/2024\` is the 2nd of January. \`13/2/2024\` is no time, and neither are \`07.03.2024\` and \`07-03-2024\`: where
  days come first, ingest takes a layout, \`timestamp-format=2/1/2006 15:04\`. A query that reads texts as times and meets
  one with the day first, among the first million rows, says so in a message.
- **Digits** alone are time since 1970, in seconds below 10¹¹, milliseconds below 10¹⁴, microseconds below 10¹⁷, and nanoseconds above. Those of 8, 12, 14 or 17 digits that
  begin with 19, 20 or 21 are a date: \`20240307\`, \`20240307210807\`. Numbers in a query, which are not texts, are nanoseconds.
- **Not read** because they could mean several times: years of two digits that come first and are not followed by digits (\`24/03/07\`), times without a date, and names of zones
  such as \`IST\`, \`BST\` and \`Europe/Paris\` without an offset beside them.

## What programs write

| | | is |
|---|---|---|
${rows.join('\n')}

Without a year, arriving on 1 May 2024:

| | | is |
|---|---|---|
${yearless.join('\n')}

## Parts

Any of these dates, with any of the times behind it, and any of the zones behind that; also with a day of the week before it, with full names of months, \`7th\`, \`at\`, in any
case and in brackets.

- **Dates**: ${[...dates, ...datesWithTime].map(example).join(', ')}; without a year, and with a time, ${yearlessDates.map(example).join(', ')}.
- **Times**: ${times.map(example).join(', ')}, with a fraction behind the seconds. \`09.08.07\` behind a date as Oracle and DB2 write it.
- **Zones**: \`Z\`, \`UTC\`, \`GMT\`, \`UT\`; offsets \`+0100\`, \`+01:00\`, \`+01\`, \`GMT+1\`, also with a name behind them, which does not count; and names with one meaning, those of mail being
  American: ${[...zoneOffsets.keys()].filter((name) => name !== 'UTC' && name !== 'GMT').join(', ')}.
`;
}
