/**
 * UTC offsets in minutes of the zone names that devices write. Ambiguous names have their most
 * common meaning: `CST` is North America's, `IST` India's, `BST` Britain's.
 */
const zones: ReadonlyMap<string, number> = new Map(
  Object.entries({
    UTC: 0,
    GMT: 0,
    UCT: 0,
    Z: 0,
    WET: 0,
    WEST: 60,
    BST: 60,
    CET: 60,
    CEST: 120,
    MEZ: 60,
    MESZ: 120,
    EET: 120,
    EEST: 180,
    SAST: 120,
    MSK: 180,
    TRT: 180,
    GST: 240,
    PKT: 300,
    IST: 330,
    ICT: 420,
    WIB: 420,
    SGT: 480,
    HKT: 480,
    AWST: 480,
    JST: 540,
    KST: 540,
    ACST: 570,
    ACDT: 630,
    AEST: 600,
    AEDT: 660,
    NZST: 720,
    NZDT: 780,
    NST: -210,
    NDT: -150,
    BRT: -180,
    ART: -180,
    AST: -240,
    ADT: -180,
    EST: -300,
    EDT: -240,
    CST: -360,
    CDT: -300,
    MST: -420,
    MDT: -360,
    PST: -480,
    PDT: -420,
    AKST: -540,
    AKDT: -480,
    HST: -600,
  }),
);

/** Minutes that a zone is ahead of UTC: `CEST`, `+0200`, `-05:30`; undefined if it is not known. */
export function parseZone(text: string): number | undefined {
  const match = /^([+-])(\d\d):?(\d\d)$/.exec(text);
  if (match === null) return zones.get(text);
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return match[1] === '-' ? -minutes : minutes;
}
