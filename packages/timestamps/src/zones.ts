const zoneHours =
  'UTC+0 GMT+0 EST-5 EDT-4 CST-6 CDT-5 MST-7 MDT-6 PST-8 PDT-7 AKST-9 AKDT-8 HST-10 HDT-9 BRT-3 ART-3 ' +
  'WET+0 WEST+1 CET+1 CEST+2 EET+2 EEST+3 MSK+3 MSD+4 WAT+1 CAT+2 SAST+2 EAT+3 PKT+5 NPT+5.75 ICT+7 WIB+7 SGT+8 HKT+8 AWST+8 ' +
  'JST+9 KST+9 ACST+9.5 ACDT+10.5 AEST+10 AEDT+11 NZST+12 NZDT+13';

/**
 * Zone abbreviations with one meaning, in seconds east of UTC: those of RFC 822 and those used in
 * only one place. Others (IST, BST, …) are ambiguous, so times that have one are not parsed.
 */
export const zoneOffsets: ReadonlyMap<string, number> = new Map(
  zoneHours.split(' ').map((entry) => {
    const [, name, hours] = /^([A-Z]+)(.*)$/.exec(entry)!;
    return [name!, Number(hours) * 3600];
  }),
);
